// Bayesian estimation over a list of hypotheses: observations change log weights, so that a thousand of them neither underflow
// nor cost a logarithm each; probabilities, entropy, and how much a question is expected to tell before it is asked.
#pragma once
#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstddef>
#include <vector>

namespace polya {

// Of a value `x` that a normal distribution gave.
inline double log_normal(double x, double mean, double deviation) {
    const double off = (x - mean) / deviation;
    return -0.5 * off * off - std::log(deviation) - 0.918938533204672742;
}

// Of an observation that was rounded, and lay between `low` and `high`.
inline double log_normal_between(double low, double high, double mean, double deviation) {
    assert(low <= high && deviation > 0);
    double a = (low - mean) / deviation, b = (high - mean) / deviation;
    // By the tail on the side where it is small: the difference of two numbers close to 1 would be nothing.
    if (a + b < 0) {
        const double turned = -a;
        a = -b;
        b = turned;
    }
    const double share = 0.5 * (std::erfc(a * 0.70710678118654752) - std::erfc(b * 0.70710678118654752));
    // So far out that even the tail is 0: the density at the near end stands for it.
    return share > 1e-300 ? std::log(share) : -0.5 * a * a - std::log(std::fmax(a, 1.0)) - 0.918938533204672742;
}

class Posterior {
public:
    // All as likely as one another.
    explicit Posterior(std::size_t hypotheses) : log_weight_(hypotheses), probability_(hypotheses) {
        assert(hypotheses > 0);
    }
    // As likely as their weights say.
    explicit Posterior(const std::vector<double>& prior) : Posterior(prior.size()) {
        for (std::size_t i = 0; i < prior.size(); ++i) log_weight_[i] = std::log(prior[i]);
    }

    std::size_t size() const { return log_weight_.size(); }

    // `log_likelihood(i)`: the logarithm of the chance of what was seen if hypothesis i is true; -INFINITY where it cannot be.
    template <class LogLikelihood>
    void observe(LogLikelihood log_likelihood) {
        for (std::size_t i = 0; i < size(); ++i)
            if (log_weight_[i] != -INFINITY) log_weight_[i] += log_likelihood(i);
        is_fresh_ = false;
    }

    // They sum to 1. Where everything has become impossible, the model is wrong: all are 0.
    const std::vector<double>& probabilities() {
        if (is_fresh_) return probability_;
        const double most = *std::max_element(log_weight_.begin(), log_weight_.end());
        is_fresh_ = true;
        is_possible_ = most != -INFINITY;
        double sum = 0;
        for (std::size_t i = 0; i < size(); ++i)
            sum += probability_[i] = is_possible_ ? std::exp(log_weight_[i] - most) : 0;
        // The largest becomes 0 again: sums stay small however long it goes on.
        for (std::size_t i = 0; i < size() && is_possible_; ++i) {
            probability_[i] /= sum;
            log_weight_[i] -= most;
        }
        return probability_;
    }

    double probability(std::size_t i) { return probabilities()[i]; }
    bool is_possible() { return probabilities(), is_possible_; }
    std::size_t most_likely() {
        const auto& all = probabilities();
        return std::size_t(std::max_element(all.begin(), all.end()) - all.begin());
    }

    // In bits: 0 where it is certain, log2(size) where nothing is known.
    double entropy() { return entropy_of(probabilities()); }

    // Of a number that depends on the hypothesis.
    template <class Value>
    double expected(Value value) {
        const auto& all = probabilities();
        double sum = 0;
        for (std::size_t i = 0; i < size(); ++i)
            if (all[i] > 0) sum += all[i] * value(i);
        return sum;
    }

    // How many bits the answer to a question is expected to tell: `chance(i, answer)` is that of each of `answers` answers if
    // hypothesis i is true. It is the entropy of the answer, less what of it would be left if the truth were known; no posterior
    // is made. Hypotheses below `negligible` are left out.
    template <class Chance>
    double expected_information(std::size_t answers, Chance chance, double negligible = 1e-9) {
        const auto& all = probabilities();
        answer_.assign(answers, 0);
        double left = 0;
        for (std::size_t i = 0; i < size(); ++i) {
            if (all[i] <= negligible) continue;
            double own = 0;
            for (std::size_t answer = 0; answer < answers; ++answer) {
                const double p = chance(i, answer);
                answer_[answer] += all[i] * p;
                // What is certain tells nothing, and costs no logarithm.
                if (p > 0 && p < 1) own -= p * std::log2(p);
            }
            left += all[i] * own;
        }
        return std::max(0.0, entropy_of(answer_) - left);
    }

    // One of them, by its probability; `uniform` lies in [0, 1).
    std::size_t sample(double uniform) {
        const auto& all = probabilities();
        std::size_t last = 0;
        for (std::size_t i = 0; i < size(); ++i) {
            if (all[i] <= 0) continue;
            last = i;
            if ((uniform -= all[i]) < 0) return i;
        }
        return last;
    }

private:
    static double entropy_of(const std::vector<double>& chances) {
        double sum = 0;
        for (const double p : chances)
            if (p > 0) sum -= p * std::log2(p);
        return sum;
    }

    std::vector<double> log_weight_, probability_, answer_;
    bool is_fresh_ = false, is_possible_ = true;
};

}  // namespace polya
