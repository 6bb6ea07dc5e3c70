// A treasure lies in one of ten places. A detector is asked about a row of places and answers with noise: ask what is expected
// to tell most, until one place is nearly certain.
#include "bayesian_estimation.hpp"

#include <cstdio>

#include "xorshift.hpp"

int main() {
    polya::Random random(3);
    const std::size_t places = 10, treasure = 7;
    // It beeps with 0.9 where the treasure lies among the first `end` places, else with 0.1.
    auto chance_of_beep = [](std::size_t place, std::size_t end) { return place < end ? 0.9 : 0.1; };
    polya::Posterior posterior(places);
    int asked = 0;
    while (posterior.probability(posterior.most_likely()) < 0.99) {
        std::size_t best = 1;
        double most = -1;
        for (std::size_t end = 1; end < places; end++) {
            const double bits = posterior.expected_information(2, [&](std::size_t place, std::size_t beeps) {
                return beeps ? chance_of_beep(place, end) : 1 - chance_of_beep(place, end);
            });
            if (bits > most) most = bits, best = end;
        }
        const bool beeps = random.chance(chance_of_beep(treasure, best));
        posterior.observe([&](std::size_t place) {
            return std::log(beeps ? chance_of_beep(place, best) : 1 - chance_of_beep(place, best));
        });
        asked++;
    }
    std::printf("the treasure is at %zu; asked fewer than 30 times: %s\n", posterior.most_likely(), asked < 30 ? "yes" : "no");
}
// prints: the treasure is at 7; asked fewer than 30 times: yes
