// The shortest of some words, and the longest, by the same class.
#include "best_state.hpp"

#include <cstdio>
#include <string>

int main() {
    polya::Best<polya::Goal::minimise, std::string, int> shortest;
    polya::Best<polya::Goal::maximise, std::string, int> longest;
    for (const std::string word : {"beam", "annealing", "tour", "greedy", "climb"}) {
        shortest.offer(word, int(word.size()));
        longest.offer(word, int(word.size()));
    }
    std::printf("%s %s\n", shortest.state().c_str(), longest.state().c_str());
}
// prints: beam annealing
