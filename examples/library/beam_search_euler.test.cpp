// Layered graphs with dead ends, early ends and nodes that many ways lead to: wide enough, it finds what all ways together have;
// narrow, it is the search that copies states, action for action. Each undo takes back what was done last.
#include "beam_search_euler.hpp"

#include <cstdio>
#include <vector>

#include "beam_search.hpp"
#include "xorshift.hpp"

static int wrong = 0;
using polya::Goal;

struct Edge {
    int to, score;
    bool is_end;
};
// Of each layer, of each node.
using Layers = std::vector<std::vector<std::vector<Edge>>>;

struct Walk {
    struct Action {
        int from, to;
        bool operator==(const Action&) const = default;
    };
    using Score = int;

    const Layers* layers;
    int at = 0;
    std::vector<int> before{};

    void apply(const Action& action) {
        if (action.from != at) std::printf("the actions do not follow one another\n"), wrong++;
        before.push_back(at);
        at = action.to;
    }
    void undo(const Action& action) {
        if (action.to != at || before.back() != action.from) std::printf("undone out of order\n"), wrong++;
        at = before.back();
        before.pop_back();
    }
    const std::vector<Edge>& edges() const { return (*layers)[before.size()][size_t(at)]; }
    template <class Offer>
    void expand(Offer& offer) const {
        for (const Edge& edge : edges())
            if (edge.is_end || offer.takes(edge.score)) offer(Action{at, edge.to}, edge.score, unsigned(edge.to), edge.is_end);
    }
};

// No two scores are alike, so that it is said which states are kept.
static Layers random_layers(polya::Random& random, int turns, int nodes, double end) {
    Layers layers;
    layers.resize(size_t(turns), std::vector<std::vector<Edge>>(std::size_t(nodes)));
    std::vector<int> scores = random.sample(turns * nodes * 3, 10'000);
    random.shuffle(scores);
    for (auto& layer : layers)
        for (auto& node : layer)
            for (int left = random.between(0, 3); left > 0; left--) {
                node.push_back({random.between(0, nodes - 1), scores.back(), random.chance(end)});
                scores.pop_back();
            }
    return layers;
}

// All ways: the best of the first turn that has an end, else the best of the last one that is reached.
template <Goal goal>
static polya::BeamResult<Walk::Action, int> of_all(const Walk& start, int turns) {
    polya::BeamResult<Walk::Action, int> result;
    std::vector<Walk> walks{start};
    for (int turn = 0; turn < turns && !result.is_complete && !walks.empty(); turn++) {
        polya::Best<goal, int, int> best, ends;
        std::vector<Walk> next;
        for (const Walk& walk : walks)
            for (const Edge& edge : walk.edges()) {
                (edge.is_end ? ends : best).offer(0, edge.score);
                next.push_back(walk);
                next.back().apply({walk.at, edge.to});
            }
        if (!ends.is_set() && !best.is_set()) break;
        result.score = ends.is_set() ? ends.score() : best.score();
        result.actions.push_back({});
        result.is_complete = ends.is_set() || turn + 1 == turns;
        std::swap(walks, next);
    }
    return result;
}

template <Goal goal>
static void check(polya::Random& random) {
    const int turns = random.between(1, 6), nodes = random.between(1, 5);
    const Layers layers = random_layers(random, turns, nodes, random.chance(0.5) ? 0.05 : 0);
    const Walk start{&layers};
    for (const int width : {1, 2, 3, 100}) {
        const polya::BeamOptions options{.turns = turns, .width = width};
        const auto toured = polya::beam_search_euler<goal>(start, options);
        const auto copied = polya::beam_search<goal>(start, options);
        if (toured.actions != copied.actions || toured.score != copied.score || toured.is_complete != copied.is_complete)
            std::printf("width %d: %d by the tour, %d by copies\n", width, toured.score, copied.score), wrong++;
        Walk again = start;
        for (const auto& action : toured.actions) again.apply(action);
        if (width < 100) continue;
        const auto all = of_all<goal>(start, turns);
        if (toured.actions.size() != all.actions.size() || toured.score != all.score || toured.is_complete != all.is_complete)
            std::printf("%d, and the best of all is %d\n", toured.score, all.score), wrong++;
    }
    // Its width follows the clock: whatever that says, it gets there if a way does.
    const auto timed = polya::beam_search_euler<goal>(start, {.turns = turns, .width = 100, .seconds = 1e-3, .least_width = 100});
    if (timed.score != of_all<goal>(start, turns).score) std::printf("with a limit of time it finds something else\n"), wrong++;
}

int main() {
    polya::Random random(5);
    for (int round = 0; round < 150; round++) check<Goal::maximise>(random), check<Goal::minimise>(random);
    if (!wrong) std::printf("ok\n");
    return wrong ? 1 : 0;
}
