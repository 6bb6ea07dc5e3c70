// Against the extreme of a list, for both goals; what is only as good does not replace.
#include "best_state.hpp"

#include <algorithm>
#include <cstdio>
#include <vector>

template <polya::Goal goal>
static int check(unsigned seed) {
    std::vector<int> scores(20);
    for (int& each : scores) each = int((seed = seed * 1103515245 + 12345) >> 16 & 15);
    polya::Best<goal, int, int> best;
    int kept = 0;
    for (int i = 0; i < int(scores.size()); i++) kept += best.offer(i, scores[size_t(i)]);
    const bool up = goal == polya::Goal::maximise;
    const auto found = up ? std::max_element(scores.begin(), scores.end()) : std::min_element(scores.begin(), scores.end());
    int records = 0, record = 0;
    for (size_t i = 0; i < scores.size(); i++)
        if (i == 0 || (up ? scores[i] > record : scores[i] < record)) record = scores[i], records++;
    if (best.score() == *found && best.state() == int(found - scores.begin()) && kept == records) return 0;
    std::printf("kept %d of score %d\n", best.state(), best.score());
    return 1;
}

int main() {
    using polya::Goal;
    int wrong = 0;
    for (unsigned seed = 1; seed <= 50; seed++) wrong += check<Goal::minimise>(seed) + check<Goal::maximise>(seed);
    wrong += polya::Best<Goal::minimise, int, int>().is_set();
    wrong += polya::gain_of<Goal::minimise>(10, 7) != 3 || polya::gain_of<Goal::maximise>(10, 7) != -3;
    if (!wrong) std::printf("ok\n");
    return wrong ? 1 : 0;
}
