// Posteriors against products of chances in long double; expected information against the entropies of all posteriors that the
// answers would lead to; the normal laws against sums; a thousand observations, and what cannot be.
#include "bayesian_estimation.hpp"

#include <cstdio>

#include "xorshift.hpp"

static int wrong = 0;

static void is_near(const char* what, double found, double expected, double most = 1e-9) {
    if (!(std::fabs(found - expected) <= most)) std::printf("%s: %.12f, not %.12f\n", what, found, expected), wrong++;
}

static double entropy(const std::vector<long double>& chances) {
    long double sum = 0, bits = 0;
    for (const auto p : chances) sum += p;
    for (const auto p : chances)
        if (p > 0) bits -= p / sum * std::log2(p / sum);
    return double(bits);
}

static void against_products(unsigned seed) {
    polya::Random random(seed);
    const size_t n = 2 + random.below(8), answers = 2 + random.below(4);
    std::vector<double> prior(n);
    for (double& each : prior) each = random.uniform(0.1, 1);
    if (seed % 3 == 0) prior[0] = 0;
    std::vector<long double> exact(prior.begin(), prior.end());
    polya::Posterior posterior(prior);
    for (int step = 0; step < 12; step++) {
        // A table of chances: each hypothesis has its own, and some answers cannot be.
        std::vector<std::vector<double>> chance(n, std::vector<double>(answers));
        for (auto& row : chance) {
            double sum = 0;
            for (double& each : row) sum += each = random.chance(0.2) ? 0 : random.uniform();
            for (double& each : row) each = sum > 0 ? each / sum : 1.0 / double(answers);
        }
        long double total = 0, after = 0;
        for (const auto p : exact) total += p;
        for (size_t answer = 0; answer < answers; answer++) {
            std::vector<long double> then(n);
            long double of_answer = 0;
            for (size_t i = 0; i < n; i++) of_answer += then[i] = exact[i] / total * chance[i][answer];
            if (of_answer > 0) after += of_answer * entropy(then);
        }
        const double told = posterior.expected_information(answers, [&](size_t i, size_t answer) { return chance[i][answer]; }, 0);
        is_near("expected information", told, entropy(exact) - double(after));
        const size_t truth = posterior.sample(random.uniform());
        size_t seen = 0;
        for (double left = random.uniform(); seen + 1 < answers && (left -= chance[truth][seen]) >= 0;) seen++;
        if (chance[truth][seen] == 0) continue;
        posterior.observe([&](size_t i) { return std::log(chance[i][seen]); });
        total = 0;
        for (size_t i = 0; i < n; i++) total += exact[i] *= chance[i][seen];
        for (size_t i = 0; i < n; i++) is_near("probability", posterior.probability(i), double(exact[i] / total));
        is_near("entropy", posterior.entropy(), entropy(exact));
        for (size_t i = 0; i < n; i++)
            if (exact[i] > exact[posterior.most_likely()] * (1 + 1e-12L)) std::printf("not the most likely\n"), wrong++;
        is_near("expected", posterior.expected([](size_t i) { return double(i); }), [&] {
            long double sum = 0;
            for (size_t i = 0; i < n; i++) sum += exact[i] / total * (long double)i;
            return double(sum);
        }());
    }
}

int main() {
    for (unsigned seed = 1; seed <= 30; seed++) against_products(seed);
    // Each observation alone is a chance of 1e-300: products would be nothing after two.
    polya::Posterior patient(2);
    for (int i = 0; i < 1000; i++) patient.observe([](size_t h) { return h ? -690.0 : -690.001; });
    is_near("after 1000 observations", patient.probability(1), 1 / (1 + std::exp(-1.0)), 1e-6);
    patient.observe([](size_t) { return -INFINITY; });
    if (patient.is_possible() || patient.probability(0) != 0) std::printf("the impossible is possible\n"), wrong++;

    double sum = 0;
    for (double x = -3; x < 1.5; x += 1e-4) sum += std::exp(polya::log_normal(x + 5e-5, 0.3, 1.7)) * 1e-4;
    is_near("between", std::exp(polya::log_normal_between(-3, 1.5, 0.3, 1.7)), sum, 1e-6);
    is_near("all", polya::log_normal_between(-1e9, 1e9, 0, 1), 0);
    is_near("mirrored", polya::log_normal_between(20, 21, 0, 1), polya::log_normal_between(-21, -20, 0, 1));
    // Where tails end, it goes on falling: 60 deviations out are less likely than 50.
    if (!(polya::log_normal_between(60, 61, 0, 1) < polya::log_normal_between(50, 51, 0, 1))) std::printf("the far tail\n"), wrong++;
    is_near("far out", polya::log_normal_between(30, 31, 0, 1), -450 - std::log(30) - 0.918938533, 0.01);

    polya::Posterior three({1, 2, 1});
    int count[3] = {};
    polya::Random random(1);
    for (int i = 0; i < 40000; i++) count[three.sample(random.uniform())]++;
    is_near("sampled", count[1], 20000, 700);
    is_near("sampled", count[0], 10000, 600);
    if (three.sample(0.9999999999999999) != 2) std::printf("the last\n"), wrong++;
    if (!wrong) std::printf("ok\n");
    return wrong ? 1 : 0;
}
