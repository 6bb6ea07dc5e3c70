#include "beam_search.hpp"
#include "beam_search_euler.hpp"
#include "beam_states.hpp"
#include "contest.hpp"

// What is plain here is the other header, which copies states but makes only those that are chosen.
int main() {
    const int turns = 200, width = 300;
    polya::Random random(1);
    const bench::LightsWorld<100> world(turns, random);
    const bench::Lights<100> start = world.start(random);
    const polya::BeamOptions options{.turns = turns, .width = width};
    bench::contest(
        "a state of 10 KB of a beam of 300, with 16 candidates", "beam_search.hpp, which copies states",
        turns * width, [&] { return polya::beam_search_euler<polya::Goal::maximise>(start, options).score; },
        [&] { return polya::beam_search<polya::Goal::maximise>(start, options).score; }, 9);
}
