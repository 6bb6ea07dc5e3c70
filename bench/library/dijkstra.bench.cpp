#include "contest.hpp"
#include "dijkstra.hpp"
#include "xorshift.hpp"

#include <functional>
#include <queue>
#include <utility>
#include <vector>

namespace {

using Edges = std::vector<std::vector<std::pair<int, int>>>;

std::vector<int> plain_search(const Edges& edges, int source) {
    std::vector<int> distance(edges.size(), 1'000'000'000);
    std::priority_queue<std::pair<int, int>, std::vector<std::pair<int, int>>, std::greater<>> queue;
    distance[source] = 0;
    queue.push({0, source});
    while (!queue.empty()) {
        const auto [known, vertex] = queue.top();
        queue.pop();
        if (known > distance[vertex]) continue;
        for (const auto& [to, cost] : edges[vertex])
            if (known + cost < distance[to]) distance[to] = known + cost, queue.push({distance[to], to});
    }
    return distance;
}

}  // namespace

int main() {
    const int vertices = 2000;
    polya::Random random(1);
    std::vector<polya::WeightedGraph<int>::Link> links;
    Edges edges(vertices);
    for (int each = 0; each < 5 * vertices; ++each) {
        const int from = int(random.below(vertices)), to = int(random.below(vertices)), cost = random.between(1, 1000);
        links.push_back({from, to, cost});
        edges[from].push_back({to, cost});
    }
    const polya::WeightedGraph<int> graph(vertices, links);
    polya::Dijkstra<int> search(vertices);
    const long long count = 40;
    bench::contest(
        "a search from one vertex to all of 2,000 over 10,000 edges", "vectors of edges and std::priority_queue", count,
        [&] {
            long long sum = 0;
            for (int source = 0; source < count; ++source) {
                search.run(graph, source);
                for (int vertex = 0; vertex < vertices; ++vertex)
                    if (search.is_reached(vertex)) sum += search.distance(vertex);
            }
            return sum;
        },
        [&] {
            long long sum = 0;
            for (int source = 0; source < count; ++source)
                for (const int distance : plain_search(edges, source))
                    if (distance < 1'000'000'000) sum += distance;
            return sum;
        });
}
