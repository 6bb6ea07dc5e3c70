// Distances and ways against Bellman and Ford's relaxation until nothing changes, on random small graphs with edges of
// cost zero, edges side by side and parts that are not connected; one object searches again and again.
#include "dijkstra.hpp"

#include <cstdio>
#include <vector>

#include "xorshift.hpp"

template <class Cost>
struct Case {
    using Graph = polya::WeightedGraph<Cost>;
    using Search = polya::Dijkstra<Cost>;

    int vertices;
    std::vector<typename Graph::Link> links;
    bool both_ways;

    std::vector<Cost> relaxed(const std::vector<typename Search::Start>& starts) const {
        std::vector<Cost> distance(std::size_t(vertices), Search::unreachable);
        for (const auto& start : starts) distance[std::size_t(start.vertex)] = std::min(distance[std::size_t(start.vertex)], start.cost);
        for (bool changed = true; changed;) {
            changed = false;
            const auto relax = [&](int from, int to, Cost cost) {
                if (distance[std::size_t(from)] == Search::unreachable || distance[std::size_t(to)] <= distance[std::size_t(from)] + cost) return;
                distance[std::size_t(to)] = distance[std::size_t(from)] + cost;
                changed = true;
            };
            for (const auto& link : links) {
                relax(link.from, link.to, link.cost);
                if (both_ways) relax(link.to, link.from, link.cost);
            }
        }
        return distance;
    }

    // The cheapest edge between two neighbours.
    Cost step(int from, int to) const {
        Cost least = Search::unreachable;
        for (const auto& link : links) {
            const bool fits = (link.from == from && link.to == to) || (both_ways && link.from == to && link.to == from);
            if (fits && link.cost < least) least = link.cost;
        }
        return least;
    }

    bool agrees(const Search& search, const std::vector<typename Search::Start>& starts, int target) const {
        const std::vector<Cost> expected = relaxed(starts);
        const Cost horizon = target < 0 ? Search::unreachable : expected[std::size_t(target)];
        for (int vertex = 0; vertex < vertices; ++vertex) {
            const Cost distance = expected[std::size_t(vertex)];
            // What is exactly as far as the target need not have been found, over edges that cost nothing.
            const bool may_be_missed = target >= 0 && distance == horizon && vertex != target;
            const bool is_expected = distance < Search::unreachable && distance <= horizon;
            if (search.is_reached(vertex) != is_expected && !(may_be_missed && is_expected)) return false;
            if (!search.is_reached(vertex)) {
                if (search.distance(vertex) != Search::unreachable) return false;
                continue;
            }
            if (search.distance(vertex) != distance) return false;
            const std::vector<int> way = search.path_to(vertex);
            Cost sum = Search::unreachable;
            for (const auto& start : starts)
                if (start.vertex == way.front() && start.cost < sum) sum = start.cost;
            for (std::size_t each = 1; each < way.size(); ++each) sum += step(way[each - 1], way[each]);
            if (way.back() != vertex || sum != distance) return false;
        }
        return true;
    }
};

template <class Cost>
static int check(polya::Random& random) {
    Case<Cost> some{random.between(1, 12), {}, random.below(2) == 0};
    const auto vertex = [&] { return int(random.below(unsigned(some.vertices))); };
    for (int count = random.between(0, 3 * some.vertices); count > 0; --count) some.links.push_back({vertex(), vertex(), Cost(random.below(10)) / 2});
    const typename Case<Cost>::Graph graph(some.vertices, some.links, some.both_ways);
    typename Case<Cost>::Search search(some.vertices);
    for (int round = 0; round < 10; ++round) {
        std::vector<typename Case<Cost>::Search::Start> starts(std::size_t(random.between(1, 2)));
        for (auto& start : starts) start = {vertex(), Cost(random.below(4))};
        const int target = random.below(2) == 0 ? -1 : vertex();
        search.run(graph, starts, target);
        if (!some.agrees(search, starts, target)) return std::printf("a search of %d vertices differs\n", some.vertices), 1;
        search.run(graph, starts[0].vertex);
        if (!some.agrees(search, {{starts[0].vertex, 0}}, -1)) return std::printf("from %d it differs\n", starts[0].vertex), 1;
    }
    return 0;
}

// Through a function: from n to n + 1 for 3, to 2n for 2, below 64.
static int check_implicit() {
    polya::Dijkstra<int> search(64);
    const std::vector<polya::Dijkstra<int>::Start> starts{{1, 0}};
    search.run_with(starts, [](int number, auto&& visit) {
        if (number + 1 < 64) visit(number + 1, 3);
        if (2 * number < 64) visit(2 * number, 2);
    });
    std::vector<int> expected(64, 1000);
    expected[1] = 0;
    for (std::size_t number = 2; number < 64; ++number) {
        expected[number] = expected[number - 1] + 3;
        if (number % 2 == 0) expected[number] = std::min(expected[number], expected[number / 2] + 2);
        if (search.distance(int(number)) != expected[number]) return std::printf("%zu is not %d away\n", number, expected[number]), 1;
    }
    return search.is_reached(0) ? std::printf("0 is reached\n"), 1 : 0;
}

int main() {
    polya::Random random(17);
    for (int round = 0; round < 150; ++round)
        if (check<int>(random) || check<double>(random)) return 1;
    if (check_implicit()) return 1;
    std::printf("ok\n");
}
