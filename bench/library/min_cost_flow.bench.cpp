#include "contest.hpp"
#include "min_cost_flow.hpp"
#include "xorshift.hpp"

#include <algorithm>
#include <queue>
#include <vector>

namespace {

class Plain {
public:
    explicit Plain(int vertices) : arcs_(vertices) {}
    void add_edge(int from, int to, int capacity, int cost) {
        arcs_[from].push_back({to, int(arcs_[to].size()), capacity, cost});
        arcs_[to].push_back({from, int(arcs_[from].size()) - 1, 0, -cost});
    }
    long long solve(int source, int sink) {
        long long total = 0;
        const int vertices = int(arcs_.size());
        while (true) {
            std::vector<int> distance(vertices, 1'000'000'000), came_from(vertices, -1), came_by(vertices, -1);
            std::vector<char> waits(vertices, 0);
            std::queue<int> queue;
            distance[source] = 0;
            queue.push(source);
            while (!queue.empty()) {
                const int vertex = queue.front();
                queue.pop();
                waits[vertex] = 0;
                for (int each = 0; each < int(arcs_[vertex].size()); ++each) {
                    const Arc& arc = arcs_[vertex][each];
                    if (arc.capacity == 0 || distance[vertex] + arc.cost >= distance[arc.to]) continue;
                    distance[arc.to] = distance[vertex] + arc.cost, came_from[arc.to] = vertex, came_by[arc.to] = each;
                    if (!waits[arc.to]) waits[arc.to] = 1, queue.push(arc.to);
                }
            }
            if (distance[sink] == 1'000'000'000) return total;
            int amount = 1'000'000'000;
            for (int vertex = sink; vertex != source; vertex = came_from[vertex])
                amount = std::min(amount, arcs_[came_from[vertex]][came_by[vertex]].capacity);
            for (int vertex = sink; vertex != source; vertex = came_from[vertex]) {
                Arc& arc = arcs_[came_from[vertex]][came_by[vertex]];
                arc.capacity -= amount;
                arcs_[vertex][arc.reverse].capacity += amount;
            }
            total += 1LL * amount * distance[sink];
        }
    }

private:
    struct Arc {
        int to, reverse, capacity, cost;
    };
    std::vector<std::vector<Arc>> arcs_;
};

}  // namespace

int main() {
    const int side = 100, degree = 12, vertices = 2 * side + 2;
    const auto build = [&](auto& flow) {
        polya::Random random(4);
        for (int left = 0; left < side; ++left) {
            flow.add_edge(2 * side, left, 3, 0);
            for (int each = 0; each < degree; ++each)
                flow.add_edge(left, side + int(random.below(side)), random.between(1, 2), random.between(1, 1000));
        }
        for (int right = 0; right < side; ++right) flow.add_edge(side + right, 2 * side + 1, 3, 0);
    };
    bench::contest(
        "the cheapest largest flow, 202 vertices and 1,400 edges", "paths found by Bellman and Ford's algorithm with a queue", 1,
        [&] {
            polya::MinCostFlow<int, int> flow(vertices);
            build(flow);
            return flow.solve(2 * side, 2 * side + 1).cost;
        },
        [&] {
            Plain flow(vertices);
            build(flow);
            return flow.solve(2 * side, 2 * side + 1);
        });
}
