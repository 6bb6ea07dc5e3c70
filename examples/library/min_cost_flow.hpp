// The cheapest flow of a given size, or the largest: successive shortest paths, with potentials that keep every cost at
// zero or more, so that each path is one run of Dijkstra's algorithm.
//
// Edges may cost less than nothing as long as no circle does. For a plain matching of two sides with all costs given
// use hungarian.hpp, which is faster on dense ones.
#pragma once
#include <algorithm>
#include <cassert>
#include <cstddef>
#include <limits>
#include <vector>

#include "radix_heap.hpp"

namespace polya {

template <class Capacity = int, class Cost = long long>
class MinCostFlow {
    // Rounding would make reduced costs that are less than nothing: scale fractions up.
    static_assert(std::numeric_limits<Cost>::is_integer && std::numeric_limits<Capacity>::is_integer);

public:
    struct Limits {
        Capacity flow = std::numeric_limits<Capacity>::max();
        // Ends before a path of which one unit costs more: 0 takes what pays, and no more.
        Cost dearest = std::numeric_limits<Cost>::max();
    };
    struct Result {
        Capacity flow;
        Cost cost;
    };

    explicit MinCostFlow(int vertices) : first_(std::size_t(vertices) + 1) {}

    // Its number, for flow().
    int add_edge(int from, int to, Capacity capacity, Cost cost) {
        assert(0 <= from && from < vertices() && 0 <= to && to < vertices() && !(capacity < Capacity{}));
        links_.push_back({from, to, capacity, cost});
        return int(links_.size()) - 1;
    }

    // Begins without flow each time.
    Result solve(int source, int sink) { return solve(source, sink, Limits{}); }
    Result solve(int source, int sink, const Limits& limits) {
        assert(source != sink);
        build();
        find_potentials(source);
        Result result{};
        while (result.flow < limits.flow && find_path(source, sink)) {
            const Cost cost = potential_[at(sink)] - potential_[at(source)];
            if (limits.dearest < cost) break;
            const Capacity amount = push(source, sink, limits.flow - result.flow);
            result.flow += amount;
            result.cost += Cost(amount) * cost;
        }
        return result;
    }

    int vertices() const { return int(first_.size()) - 1; }
    Capacity flow(int edge) const {
        return links_[at(edge)].capacity - arcs_[at(arc_of_[at(edge)])].capacity;
    }

private:
    struct Link {
        int from, to;
        Capacity capacity;
        Cost cost;
    };
    // What is left of an edge, or of the way back.
    struct Arc {
        int to, reverse;
        Capacity capacity;
        Cost cost;
    };
    static constexpr Cost unreachable = std::numeric_limits<Cost>::max();

    std::vector<Link> links_;
    std::vector<int> first_, arc_of_;
    std::vector<Arc> arcs_;
    std::vector<Cost> potential_, distance_;
    std::vector<int> came_by_, settled_, ready_;
    RadixHeap<Cost, int> queue_;

    static std::size_t at(int index) { return std::size_t(index); }

    // The arcs of a vertex side by side, filled from behind.
    void build() {
        std::fill(first_.begin(), first_.end(), 0);
        for (const Link& link : links_) ++first_[at(link.from)], ++first_[at(link.to)];
        int end = 0;
        for (int& each : first_) each = end += each;
        arcs_.resize(2 * links_.size());
        arc_of_.resize(links_.size());
        for (std::size_t edge = links_.size(); edge-- > 0;) {
            const Link& link = links_[edge];
            const int back = --first_[at(link.to)];
            const int there = --first_[at(link.from)];
            arcs_[at(there)] = {link.to, back, link.capacity, link.cost};
            arcs_[at(back)] = {link.from, there, Capacity{}, -link.cost};
            arc_of_[edge] = there;
        }
        distance_.assign(at(vertices()), unreachable);
        came_by_.assign(at(vertices()), 0);
    }

    // All zero where no edge costs less than nothing; else the shortest distances by Bellman and Ford.
    void find_potentials(int source) {
        potential_.assign(at(vertices()), Cost{});
        const auto is_negative = [](const Link& link) { return link.cost < Cost{} && Capacity{} < link.capacity; };
        if (std::none_of(links_.begin(), links_.end(), is_negative)) return;
        std::vector<Cost>& distance = distance_;
        distance[at(source)] = Cost{};
        bool changed = true;
        for (int round = 0; changed && round <= vertices(); ++round) {
            changed = false;
            for (const Link& link : links_) {
                if (!(Capacity{} < link.capacity) || distance[at(link.from)] == unreachable) continue;
                const Cost through = distance[at(link.from)] + link.cost;
                if (!(through < distance[at(link.to)])) continue;
                distance[at(link.to)] = through;
                changed = true;
            }
        }
        assert(!changed && "a circle costs less than nothing");
        for (std::size_t vertex = 0; vertex < distance.size(); ++vertex) {
            if (distance[vertex] != unreachable) potential_[vertex] = distance[vertex];
            distance[vertex] = unreachable;
        }
    }

    // Shortest by reduced costs. What was not settled before the sink keeps its potential: all are meant as differences.
    bool find_path(int source, int sink) {
        settled_.clear();
        queue_.clear();
        std::fill(distance_.begin(), distance_.end(), unreachable);
        distance_[at(source)] = Cost{};
        ready_.assign(1, source);
        while (!ready_.empty() || !queue_.empty()) {
            const int vertex = next();
            if (vertex < 0) continue;
            const Cost distance = distance_[at(vertex)];
            if (vertex == sink) {
                for (const int each : settled_) potential_[at(each)] -= distance - distance_[at(each)];
                return true;
            }
            settled_.push_back(vertex);
            for (int arc = first_[at(vertex)]; arc < first_[at(vertex) + 1]; ++arc)
                relax(distance, distance + potential_[at(vertex)], arc);
        }
        return false;
    }

    // -1 for one that was reached for less after it had been put in.
    int next() {
        if (!ready_.empty()) {
            const int vertex = ready_.back();
            ready_.pop_back();
            return vertex;
        }
        const auto [distance, vertex] = queue_.pop();
        return distance_[at(vertex)] < distance ? -1 : vertex;
    }

    // Along the ways of earlier paths the reduced cost is zero: what is as near as can be needs no heap.
    void relax(Cost nearest, Cost before, int arc) {
        const Arc& way = arcs_[at(arc)];
        if (!(Capacity{} < way.capacity)) return;
        const Cost distance = before + way.cost - potential_[at(way.to)];
        if (!(distance < distance_[at(way.to)])) return;
        distance_[at(way.to)] = distance;
        came_by_[at(way.to)] = arc;
        if (nearest < distance) queue_.push(distance, way.to);
        else ready_.push_back(way.to);
    }

    Capacity push(int source, int sink, Capacity amount) {
        const auto before = [&](int vertex) { return arcs_[at(arcs_[at(came_by_[at(vertex)])].reverse)].to; };
        for (int vertex = sink; vertex != source; vertex = before(vertex))
            amount = std::min(amount, arcs_[at(came_by_[at(vertex)])].capacity);
        for (int vertex = sink; vertex != source; vertex = before(vertex)) {
            Arc& arc = arcs_[at(came_by_[at(vertex)])];
            arc.capacity -= amount;
            arcs_[at(arc.reverse)].capacity += amount;
        }
        return amount;
    }
};

}  // namespace polya
