#include <vector>

#include "bayesian_estimation.hpp"
#include "contest.hpp"
#include "xorshift.hpp"

// 500 hypotheses, 8 answers: what each of 50 questions is expected to tell.
int main() {
    const std::size_t n = 500, answers = 8, questions = 50;
    polya::Random random(1);
    std::vector<double> chance(questions * n * answers), prior(n);
    for (double& each : prior) each = random.uniform();
    for (std::size_t row = 0; row < questions * n; row++) {
        double sum = 0;
        for (std::size_t a = 0; a < answers; a++) sum += chance[row * answers + a] = random.uniform();
        for (std::size_t a = 0; a < answers; a++) chance[row * answers + a] /= sum;
    }
    bench::contest(
        "a hypothesis in the expected information of a question with 8 answers",
        "the posterior of each answer, normalised, and its entropy", questions * n,
        [&] {
            polya::Posterior posterior(prior);
            double sum = 0;
            for (std::size_t q = 0; q < questions; q++)
                sum += posterior.expected_information(
                    answers, [&](std::size_t i, std::size_t a) { return chance[(q * n + i) * answers + a]; });
            return sum;
        },
        [&] {
            std::vector<double> now = prior, then(n);
            double total = 0, sum = 0;
            for (const double each : now) total += each;
            for (double& each : now) each /= total;
            for (std::size_t q = 0; q < questions; q++) {
                double before = 0, after = 0;
                for (const double p : now)
                    if (p > 0) before -= p * std::log2(p);
                for (std::size_t a = 0; a < answers; a++) {
                    double of_answer = 0, entropy = 0;
                    for (std::size_t i = 0; i < n; i++) of_answer += then[i] = now[i] * chance[(q * n + i) * answers + a];
                    for (std::size_t i = 0; i < n; i++) {
                        const double p = then[i] / of_answer;
                        if (p > 0) entropy -= p * std::log2(p);
                    }
                    after += of_answer * entropy;
                }
                sum += before - after;
            }
            return sum;
        });
}
