// Flow and cost against canceling circles that cost less than nothing, found by Bellman and Ford, in a matrix of residual
// edges; that each vertex hands on what it gets; limits and negative costs.
#include "min_cost_flow.hpp"

#include <cstdio>
#include <vector>

#include "xorshift.hpp"

struct Edge {
    int from, to, capacity, cost;
};

// The plainest method there is: any flow of that size, then circle after circle, on an explicit residual list.
struct Plain {
    struct Arc {
        int from, to, capacity, cost;
    };
    int vertices;
    std::vector<Arc> arcs;

    Plain(int count, const std::vector<Edge>& edges) : vertices(count) {
        for (const Edge& edge : edges) {
            arcs.push_back({edge.from, edge.to, edge.capacity, edge.cost});
            arcs.push_back({edge.to, edge.from, 0, -edge.cost});
        }
    }

    bool reach(int vertex, int sink, std::vector<char>& seen, std::vector<std::size_t>& way) {
        if (vertex == sink) return true;
        seen[std::size_t(vertex)] = 1;
        for (std::size_t arc = 0; arc < arcs.size(); ++arc) {
            if (arcs[arc].from != vertex || arcs[arc].capacity == 0 || seen[std::size_t(arcs[arc].to)]) continue;
            way.push_back(arc);
            if (reach(arcs[arc].to, sink, seen, way)) return true;
            way.pop_back();
        }
        return false;
    }

    int cost() const {
        int sum = 0;
        for (std::size_t arc = 0; arc < arcs.size(); arc += 2) sum += arcs[arc].cost * arcs[arc + 1].capacity;
        return sum;
    }

    void move_one(std::size_t arc) { --arcs[arc].capacity, ++arcs[arc ^ 1].capacity; }

    bool cancel_circle() {
        std::vector<int> distance(std::size_t(vertices), 0);
        std::vector<std::size_t> came_by(std::size_t(vertices), arcs.size());
        int changed = -1;
        for (int round = 0; round <= vertices; ++round) {
            changed = -1;
            for (std::size_t arc = 0; arc < arcs.size(); ++arc) {
                const Arc& each = arcs[arc];
                if (each.capacity == 0 || distance[std::size_t(each.from)] + each.cost >= distance[std::size_t(each.to)]) continue;
                distance[std::size_t(each.to)] = distance[std::size_t(each.from)] + each.cost;
                came_by[std::size_t(each.to)] = arc, changed = each.to;
            }
        }
        if (changed < 0) return false;
        for (int step = 0; step < vertices; ++step) changed = arcs[came_by[std::size_t(changed)]].from;
        int vertex = changed;
        do {
            const std::size_t arc = came_by[std::size_t(vertex)];
            vertex = arcs[arc].from;
            move_one(arc);
        } while (vertex != changed);
        return true;
    }

    // The cost of the cheapest flow of one more unit; false where no more can flow.
    bool one_more(int source, int sink) {
        std::vector<char> seen(std::size_t(vertices), 0);
        std::vector<std::size_t> way;
        if (!reach(source, sink, seen, way)) return false;
        for (const std::size_t arc : way) move_one(arc);
        while (cancel_circle()) continue;
        return true;
    }
};

static int check(polya::Random& random, bool negative) {
    const int vertices = random.between(2, 7);
    std::vector<Edge> edges;
    for (int count = random.between(0, 3 * vertices); count > 0; --count) {
        int from = int(random.below(unsigned(vertices))), to = int(random.below(unsigned(vertices)));
        // Upwards only, so that no circle costs less than nothing.
        if (negative && from == to) continue;
        if (negative && from > to) std::swap(from, to);
        edges.push_back({from, to, random.between(0, 3), random.between(negative ? -6 : 0, 9)});
    }
    const int source = negative ? 0 : int(random.below(unsigned(vertices)));
    const int sink = negative ? vertices - 1 : (source + 1) % vertices;
    polya::MinCostFlow<int, int> flow(vertices);
    for (const Edge& edge : edges) flow.add_edge(edge.from, edge.to, edge.capacity, edge.cost);

    Plain plain(vertices, edges);
    std::vector<int> costs{0};
    while (plain.one_more(source, sink)) costs.push_back(plain.cost());
    const int largest = int(costs.size()) - 1;
    int paying = 0;
    while (paying < largest && costs[std::size_t(paying) + 1] <= costs[std::size_t(paying)]) ++paying;

    const auto agrees = [&](const char* what, auto result, int expected) {
        if (result.flow != expected || result.cost != costs[std::size_t(expected)])
            return std::printf("%s: %d for %d, not %d for %d\n", what, result.flow, result.cost, expected, costs[std::size_t(expected)]), false;
        std::vector<int> balance(std::size_t(vertices), 0);
        int cost = 0;
        for (int edge = 0; edge < int(edges.size()); ++edge) {
            const auto [from, to, capacity, price] = edges[std::size_t(edge)];
            const int amount = flow.flow(edge);
            if (amount < 0 || amount > capacity) return std::printf("%s: edge %d carries %d\n", what, edge, amount), false;
            balance[std::size_t(from)] -= amount, balance[std::size_t(to)] += amount, cost += amount * price;
        }
        for (int vertex = 0; vertex < vertices; ++vertex)
            if (balance[std::size_t(vertex)] != (vertex == sink ? expected : vertex == source ? -expected : 0))
                return std::printf("%s: vertex %d keeps something\n", what, vertex), false;
        return cost == result.cost;
    };
    if (!agrees("the largest", flow.solve(source, sink), largest)) return 1;
    const int some = random.between(0, largest);
    if (!agrees("a part", flow.solve(source, sink, {.flow = some}), some)) return 1;
    return agrees("what pays", flow.solve(source, sink, {.dearest = 0}), paying) ? 0 : 1;
}

int main() {
    polya::Random random(18);
    for (int round = 0; round < 400; ++round)
        if (check(random, round % 2 == 1)) return std::printf("in round %d\n", round), 1;
    std::printf("ok\n");
}
