// 2-opt for closed tours over a symmetric distance, with lists of near cities and a queue of those whose surroundings have
// changed: what was tried without success is not tried again. Reversals take the shorter side of the tour.
#pragma once
#include <algorithm>
#include <cassert>
#include <cstddef>
#include <type_traits>
#include <utility>
#include <vector>

namespace polya {

// The `count` nearest cities of each, the nearest first. O(n²); for many points of a plane, a grid of buckets is faster.
template <class Distance>
std::vector<std::vector<int>> near_cities(int n, int count, Distance distance) {
    std::vector<std::vector<int>> near(static_cast<std::size_t>(n));
    count = std::min(count, n - 1);
    using Length = decltype(distance(0, 0));
    std::vector<std::pair<Length, int>> others;
    for (int city = 0; city < n; ++city) {
        others.clear();
        for (int other = 0; other < n; ++other)
            if (other != city) others.emplace_back(distance(city, other), other);
        std::partial_sort(others.begin(), others.begin() + std::max(count, 0), others.end());
        for (int i = 0; i < count; ++i) near[std::size_t(city)].push_back(others[std::size_t(i)].second);
    }
    return near;
}

// A closed tour through all cities 0 … n - 1, in which each city knows its place.
class Tour {
public:
    explicit Tour(std::vector<int> order) : order_(std::move(order)), place_(order_.size()) {
        for (int i = 0; i < size(); ++i) put(i, order_[std::size_t(i)]);
    }

    int size() const { return int(order_.size()); }
    const std::vector<int>& order() const { return order_; }
    int place(int city) const { return place_[std::size_t(city)]; }
    int at(int place) const { return order_[std::size_t(place)]; }
    int next(int city) const { return at(place(city) + 1 == size() ? 0 : place(city) + 1); }
    int before(int city) const { return at(place(city) == 0 ? size() - 1 : place(city) - 1); }

    // How many cities stand from `first` to `last`, both counted, the way that next goes.
    int length(int first, int last) const {
        const int steps = place(last) - place(first);
        return (steps < 0 ? steps + size() : steps) + 1;
    }

    // Turns the path from `first` to `last` around. Turning the rest around instead is the same tour, and shorter to do where
    // the path is more than half of it.
    void reverse(int first, int last) {
        int count = length(first, last), i = place(first), j = place(last);
        if (2 * count > size()) {
            std::swap(i, j);
            i = wrapped(i + 1);
            j = wrapped(j - 1 + size());
            count = size() - count;
        }
        for (int swaps = count / 2; swaps > 0; --swaps) {
            const int a = at(i), b = at(j);
            put(i, b);
            put(j, a);
            i = wrapped(i + 1);
            j = wrapped(j - 1 + size());
        }
    }

    void put(int place, int city) {
        order_[std::size_t(place)] = city;
        place_[std::size_t(city)] = place;
    }
    int wrapped(int place) const { return place >= size() ? place - size() : place; }

private:
    std::vector<int> order_, place_;
};

// Cities that are to be looked at, each once. First in, first out: the work wanders over the tour.
class CityQueue {
public:
    explicit CityQueue(int n) : is_in_(static_cast<std::size_t>(n)) {}
    void push(int city) {
        if (is_in_[std::size_t(city)]) return;
        is_in_[std::size_t(city)] = 1;
        waiting_.push_back(city);
    }
    bool is_empty() const { return head_ == waiting_.size(); }
    int pop() {
        const int city = waiting_[head_++];
        is_in_[std::size_t(city)] = 0;
        // What was taken is let go of, now and then.
        if (head_ > 1024 && 2 * head_ > waiting_.size()) {
            waiting_.erase(waiting_.begin(), waiting_.begin() + std::ptrdiff_t(head_));
            head_ = 0;
        }
        return city;
    }

private:
    std::vector<int> waiting_;
    std::vector<char> is_in_;
    std::size_t head_ = 0;
};

// What a move must gain at least to be made. Sums of reals are not exact: moves that gain nothing must not gain 1e-17.
template <class Length>
inline constexpr Length least_gain = std::is_floating_point_v<Length> ? Length(1e-9) : Length(0);

// One improvement at `city`: both of its edges against edges to its near cities. What it gained; 0 where there is none.
template <class Distance, class Length>
Length two_opt_at(Tour& tour, int city, const std::vector<int>& near, Distance& distance, Length least, CityQueue& queue) {
    for (const bool is_forward : {true, false}) {
        const int neighbour = is_forward ? tour.next(city) : tour.before(city);
        const Length edge = distance(city, neighbour);
        for (const int other : near) {
            const Length joined = distance(city, other);
            // All that come are farther: the first new edge alone is as long as the old one.
            if (!(joined < edge)) break;
            const int beyond = is_forward ? tour.next(other) : tour.before(other);
            if (beyond == city) continue;
            const Length gain = edge + distance(other, beyond) - joined - distance(neighbour, beyond);
            if (!(gain > least)) continue;
            if (is_forward) tour.reverse(neighbour, other);
            else tour.reverse(city, beyond);
            for (const int each : {city, neighbour, other, beyond}) queue.push(each);
            return gain;
        }
    }
    return Length{};
}

// Calls improve(city, queue) for the cities in `from`, and for those that its successes touch, until none gains. Where `from` is
// empty, for all cities, and again until a whole round has gained nothing: not all that a move makes possible lies next to it.
template <class Length, class Improve>
Length improve_tour(Tour& tour, const std::vector<int>& from, Improve improve) {
    CityQueue queue(tour.size());
    Length gained{};
    for (bool goes_on = true; goes_on;) {
        const Length before = gained;
        for (const int city : from.empty() ? tour.order() : from) queue.push(city);
        while (!queue.is_empty()) gained += improve(queue.pop(), queue);
        goes_on = from.empty() && gained > before;
    }
    return gained;
}

// Improves the tour until no 2-opt move over near cities gains more than `least`; around the cities in `from`, or, where that is
// empty, everywhere. Returns what was gained.
template <class Distance>
auto two_opt(Tour& tour, const std::vector<std::vector<int>>& near, Distance distance, const std::vector<int>& from = {},
             decltype(distance(0, 0)) least = least_gain<decltype(distance(0, 0))>) {
    using Length = decltype(distance(0, 0));
    assert(int(near.size()) == tour.size());
    if (tour.size() < 4) return Length{};
    return improve_tour<Length>(tour, from, [&](int city, CityQueue& queue) {
        return two_opt_at(tour, city, near[std::size_t(city)], distance, least, queue);
    });
}

template <class Distance>
auto tour_length(const std::vector<int>& order, Distance distance) {
    decltype(distance(0, 0)) sum{};
    for (std::size_t i = 0; i < order.size(); ++i) sum += distance(order[i], order[i + 1 == order.size() ? 0 : i + 1]);
    return sum;
}

}  // namespace polya
