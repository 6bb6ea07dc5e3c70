// Shortest ways where no edge costs less than nothing: from one vertex or several, to one vertex or all.
//
// The graph lies in one array, the edges of a vertex side by side. A search forgets the last one in as many steps as
// that one touched vertices, so that many short searches on a large graph cost what they look at. A graph that nobody
// wants to build (states, moves) is searched through a function that names the edges of a vertex.
#pragma once
#include <algorithm>
#include <cassert>
#include <cstddef>
#include <limits>
#include <span>
#include <vector>

#include "radix_heap.hpp"

namespace polya {

// Directed edges; `both_ways` adds each of them in the other direction, too.
template <class Cost = int>
class WeightedGraph {
public:
    struct Link {
        int from, to;
        Cost cost;
    };
    struct Edge {
        int to;
        Cost cost;
    };

    WeightedGraph(int vertices, const std::vector<Link>& links, bool both_ways = false)
        : first_(std::size_t(vertices) + 1), edges_(links.size() * (both_ways ? 2 : 1)) {
        for (const Link& link : links) {
            assert(0 <= link.from && link.from < vertices && 0 <= link.to && link.to < vertices);
            assert(!(link.cost < Cost{}));
            ++first_[std::size_t(link.from)];
            if (both_ways) ++first_[std::size_t(link.to)];
        }
        std::size_t end = 0;
        for (std::size_t& each : first_) each = end += each;
        // Filled from behind: each vertex ends where it begins.
        for (std::size_t each = links.size(); each-- > 0;) {
            const Link& link = links[each];
            if (both_ways) edges_[--first_[std::size_t(link.to)]] = {link.from, link.cost};
            edges_[--first_[std::size_t(link.from)]] = {link.to, link.cost};
        }
    }

    int vertices() const { return int(first_.size()) - 1; }
    std::span<const Edge> edges(int vertex) const {
        const std::size_t at = std::size_t(vertex);
        return {edges_.data() + first_[at], first_[at + 1] - first_[at]};
    }

private:
    std::vector<std::size_t> first_;
    std::vector<Edge> edges_;
};

template <class Cost = int>
class Dijkstra {
public:
    static constexpr Cost unreachable = std::numeric_limits<Cost>::max();

    struct Start {
        int vertex;
        // What it costs to be there; not negative.
        Cost cost;
    };

    explicit Dijkstra(int vertices)
        : distance_(std::size_t(vertices), unreachable), came_from_(std::size_t(vertices), -1) {}

    // With a target it ends as soon as the way there is certain: all that is nearer is reached then, nothing that is
    // farther, and of what is just as far, some.
    void run(const WeightedGraph<Cost>& graph, int source, int target = -1) {
        const Start start{source, Cost{}};
        run(graph, std::span<const Start>(&start, 1), target);
    }
    void run(const WeightedGraph<Cost>& graph, std::span<const Start> starts, int target = -1) {
        assert(graph.vertices() <= int(distance_.size()));
        const auto each_edge = [&](int vertex, auto&& visit) {
            for (const auto& edge : graph.edges(vertex)) visit(edge.to, edge.cost);
        };
        run_with(starts, each_edge, target);
    }

    // for_each_edge(vertex, visit) calls visit(to, cost) for each edge from `vertex`.
    template <class ForEachEdge>
    void run_with(std::span<const Start> starts, ForEachEdge&& for_each_edge, int target = -1) {
        forget();
        for (const Start& start : starts) relax(-1, start.vertex, start.cost);
        while (!queue_.empty()) {
            const auto [distance, vertex] = queue_.pop();
            // It was reached for less after this had been put in.
            if (distance_[at(vertex)] < distance) continue;
            if (vertex == target) {
                horizon_ = distance;
                return;
            }
            for_each_edge(vertex, [&, from = vertex, so_far = distance](int to, Cost cost) { relax(from, to, so_far + cost); });
        }
    }

    bool is_reached(int vertex) const {
        return distance_[at(vertex)] < unreachable && !(horizon_ < distance_[at(vertex)]);
    }
    // `unreachable` where the last search did not come.
    Cost distance(int vertex) const { return is_reached(vertex) ? distance_[at(vertex)] : unreachable; }

    // The vertices of a shortest way of the last search, the source and the target among them.
    std::vector<int> path_to(int target) const {
        assert(is_reached(target));
        std::vector<int> way;
        for (int vertex = target; vertex >= 0; vertex = came_from_[at(vertex)]) way.push_back(vertex);
        std::reverse(way.begin(), way.end());
        return way;
    }

private:
    std::vector<Cost> distance_;
    std::vector<int> came_from_;
    std::vector<int> touched_;
    RadixHeap<Cost, int> queue_;
    // What is farther was seen and not looked at.
    Cost horizon_ = unreachable;

    static std::size_t at(int index) { return std::size_t(index); }

    void forget() {
        for (const int vertex : touched_) distance_[at(vertex)] = unreachable;
        touched_.clear();
        queue_.clear();
        horizon_ = unreachable;
    }

    void relax(int from, int to, Cost distance) {
        if (!(distance < distance_[at(to)])) return;
        if (distance_[at(to)] == unreachable) touched_.push_back(to);
        distance_[at(to)] = distance;
        came_from_[at(to)] = from;
        queue_.push(distance, to);
    }
};

}  // namespace polya
