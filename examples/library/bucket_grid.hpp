// The nearest points in the plane: of a place, the k nearest, all within a distance; points may leave and come back.
//
// The plane is cut into square buckets of about two points each, and a search looks at ring after ring around its place
// until nothing nearer can come. On points that are spread about evenly this beats a k-d tree; where nearly all of them
// share a few spots, it degrades to looking at all.
#pragma once
#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <utility>
#include <vector>

namespace polya {

template <class Coordinate = int>
class BucketGrid {
public:
    struct Point {
        Coordinate x{}, y{};
    };
    // Squared, so that integers stay exact: up to differences of two thousand million.
    using Distance = std::conditional_t<std::is_integral_v<Coordinate>, std::int64_t, double>;

    static Distance squared_distance(const Point& a, const Point& b) {
        const Distance x = Distance(a.x) - Distance(b.x), y = Distance(a.y) - Distance(b.y);
        return x * x + y * y;
    }

    // Points are named by their index.
    explicit BucketGrid(std::vector<Point> points) : points_(std::move(points)) {
        lay_out();
        count_.assign(first_.size() - 1, 0);
        members_.resize(points_.size());
        slot_.resize(points_.size());
        for (int point = 0; point < int(points_.size()); ++point) put(point);
    }

    const Point& operator[](int point) const { return points_[at(point)]; }
    int size() const { return present_; }
    bool contains(int point) const {
        const std::size_t bucket = bucket_of(points_[at(point)]);
        return slot_[at(point)] < first_[bucket] + count_[bucket];
    }

    // Both in constant time.
    void erase(int point) {
        assert(contains(point));
        const std::size_t bucket = bucket_of(points_[at(point)]);
        swap_slots(slot_[at(point)], first_[bucket] + --count_[bucket]);
        --present_;
    }
    void put_back(int point) {
        assert(!contains(point));
        const std::size_t bucket = bucket_of(points_[at(point)]);
        swap_slots(slot_[at(point)], first_[bucket] + count_[bucket]++);
        ++present_;
    }

    // -1 where there is none; the lower index among equally near ones. `except` is not looked at: the point itself.
    int nearest(Point place, int except = -1) const {
        int best = -1;
        Distance least = std::numeric_limits<Distance>::max();
        const Middle middle = middle_of(place);
        for (int ring = 0; ring < rings_ && !(best >= 0 && is_beyond(middle, ring, least)); ++ring)
            visit_ring(middle, ring, [&](int point) {
                const Distance distance = squared_distance(place, points_[at(point)]);
                if (point == except || distance > least || (distance == least && best >= 0 && point > best)) return;
                least = distance, best = point;
            });
        return best;
    }

    // The nearest first, by index among equally near ones; fewer where there are fewer.
    std::vector<int> k_nearest(Point place, std::size_t k, int except = -1) const {
        std::vector<std::pair<Distance, int>> best;
        const Middle middle = middle_of(place);
        for (int ring = 0; ring < rings_ && k > 0; ++ring) {
            if (best.size() == k && is_beyond(middle, ring, best.front().first)) break;
            visit_ring(middle, ring, [&](int point) {
                const std::pair offer(squared_distance(place, points_[at(point)]), point);
                if (point == except || (best.size() == k && best.front() < offer)) return;
                best.push_back(offer);
                std::push_heap(best.begin(), best.end());
                if (best.size() <= k) return;
                std::pop_heap(best.begin(), best.end());
                best.pop_back();
            });
        }
        std::sort_heap(best.begin(), best.end());
        std::vector<int> result;
        for (const auto& each : best) result.push_back(each.second);
        return result;
    }

    // visit(point) for each that is at most `radius` away, in no order.
    template <class Visit>
    void for_each_within(Point place, Coordinate radius, Visit&& visit) const {
        const Distance most = Distance(radius) * Distance(radius);
        const Middle middle = middle_of(place);
        for (int ring = 0; ring < rings_ && !is_beyond(middle, ring, most); ++ring)
            visit_ring(middle, ring, [&](int point) {
                if (squared_distance(place, points_[at(point)]) <= most) visit(point);
            });
    }

private:
    struct Middle {
        int column, row;
        // How near the place is to the nearest side of its bucket behind which there are others.
        double margin;
    };

    std::vector<Point> points_;
    double left_ = 0, top_ = 0, side_ = 1;
    int columns_ = 1, rows_ = 1, rings_ = 1, present_ = 0;
    // The members of a bucket stand from first_ on, those that are present before the others.
    std::vector<std::size_t> first_, count_, slot_;
    std::vector<int> members_;

    static std::size_t at(int index) { return std::size_t(index); }

    void lay_out() {
        double right = 0, bottom = 0;
        if (!points_.empty()) {
            const auto [west, east] =
                std::minmax_element(points_.begin(), points_.end(), [](auto& a, auto& b) { return a.x < b.x; });
            const auto [north, south] =
                std::minmax_element(points_.begin(), points_.end(), [](auto& a, auto& b) { return a.y < b.y; });
            left_ = double(west->x), right = double(east->x);
            top_ = double(north->y), bottom = double(south->y);
        }
        const double width = right - left_, height = bottom - top_;
        const double wanted = std::max(1.0, double(points_.size()) / 2);
        // Points on a line, or all in one place, have no area: then the longer side counts.
        side_ = std::max(std::sqrt(width * height / wanted), std::max(width, height) / wanted);
        if (!(side_ > 0)) side_ = 1;
        columns_ = int(width / side_) + 1, rows_ = int(height / side_) + 1;
        rings_ = std::max(columns_, rows_);
        first_.assign(at(columns_) * at(rows_) + 1, 0);
        for (const Point& point : points_) ++first_[bucket_of(point) + 1];
        for (std::size_t bucket = 1; bucket < first_.size(); ++bucket) first_[bucket] += first_[bucket - 1];
    }

    void put(int point) {
        const std::size_t bucket = bucket_of(points_[at(point)]);
        const std::size_t slot = first_[bucket] + count_[bucket]++;
        members_[slot] = point, slot_[at(point)] = slot;
        ++present_;
    }

    void swap_slots(std::size_t a, std::size_t b) {
        std::swap(members_[a], members_[b]);
        slot_[at(members_[a])] = a, slot_[at(members_[b])] = b;
    }

    // What lies outside counts to the bucket at the border.
    Middle middle_of(Point place) const {
        const double x = (double(place.x) - left_) / side_, y = (double(place.y) - top_) / side_;
        const int column = int(std::clamp(x, 0.0, columns_ - 1.0));
        const int row = int(std::clamp(y, 0.0, rows_ - 1.0));
        double margin = std::numeric_limits<double>::infinity();
        if (column > 0) margin = std::min(margin, x - column);
        if (column + 1 < columns_) margin = std::min(margin, column + 1 - x);
        if (row > 0) margin = std::min(margin, y - row);
        if (row + 1 < rows_) margin = std::min(margin, row + 1 - y);
        return {column, row, margin * side_};
    }
    std::size_t bucket_of(Point place) const {
        const Middle middle = middle_of(place);
        return at(middle.row) * at(columns_) + at(middle.column);
    }

    // Whether all of this ring is farther. A little less than it is, so that rounding does no harm.
    bool is_beyond(const Middle& middle, int ring, Distance distance) const {
        const double gap = (ring - 1 - 1e-6) * side_ + middle.margin;
        return ring > 0 && gap > 0 && gap * gap > double(distance);
    }

    template <class Visit>
    void visit_ring(const Middle& middle, int ring, Visit&& visit) const {
        const int top = middle.row - ring, bottom = middle.row + ring;
        const int left = middle.column - ring, right = middle.column + ring;
        for (int row = std::max(top, 0); row <= std::min(bottom, rows_ - 1); ++row) {
            const bool is_edge = row == top || row == bottom;
            // Between top and bottom only the two ends belong to the ring.
            for (int column = is_edge ? std::max(left, 0) : left; column <= std::min(right, columns_ - 1);
                 column += is_edge ? 1 : right - left)
                if (column >= 0) visit_bucket(at(row) * at(columns_) + at(column), visit);
        }
    }

    template <class Visit>
    void visit_bucket(std::size_t bucket, Visit&& visit) const {
        for (std::size_t slot = first_[bucket]; slot < first_[bucket] + count_[bucket]; ++slot) visit(members_[slot]);
    }
};

}  // namespace polya
