// k-means of points with D coordinates: beginnings by k-means++, rounds of Lloyd with Hamerly's bounds, which leave out most
// distances and come to the same clusters. Clusters that become empty begin anew at the point that is worst served.
#pragma once
#include <array>
#include <cassert>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "xorshift.hpp"

namespace polya {

template <std::size_t D>
using Point = std::array<double, D>;

template <std::size_t D>
double square_distance(const Point<D>& a, const Point<D>& b) {
    double sum = 0;
    for (std::size_t d = 0; d < D; ++d) sum += (a[d] - b[d]) * (a[d] - b[d]);
    return sum;
}

template <std::size_t D>
struct Clusters {
    std::vector<Point<D>> centres;
    // Of each point, the number of its centre.
    std::vector<int> label;
    // The sum of the squares of all distances to the centres.
    double cost = 0;
    int rounds = 0;
};

// The first at random, each other with a chance by the square of its distance to those that are there.
template <std::size_t D>
std::vector<Point<D>> spread_centres(const std::vector<Point<D>>& points, int k, Random& random) {
    assert(k > 0 && !points.empty());
    std::vector<Point<D>> centres{points[random.below(std::uint32_t(points.size()))]};
    std::vector<double> square(points.size(), std::numeric_limits<double>::infinity());
    while (int(centres.size()) < k) {
        double sum = 0;
        for (std::size_t i = 0; i < points.size(); ++i)
            sum += square[i] = std::fmin(square[i], square_distance(points[i], centres.back()));
        double left = random.uniform() * sum;
        std::size_t chosen = 0;
        while (chosen + 1 < points.size() && (left -= square[chosen]) >= 0) ++chosen;
        centres.push_back(points[chosen]);
    }
    return centres;
}

template <std::size_t D>
class KMeans {
public:
    KMeans(const std::vector<Point<D>>& points, std::vector<Point<D>> centres)
        : points_(points), found_{std::move(centres), std::vector<int>(points.size()), 0, 0} {
        assert(!found_.centres.empty());
    }

    // Until no label changes, or for so many rounds. Once: what is found is handed out.
    Clusters<D> run(int most_rounds) {
        nearest_.assign(points_.size(), 0);
        second_.assign(points_.size(), 0);
        for (std::size_t i = 0; i < points_.size(); ++i) look(i);
        bool is_changed = true;
        for (; is_changed && found_.rounds < most_rounds; ++found_.rounds) is_changed = move_centres() && relabel();
        for (std::size_t i = 0; i < points_.size(); ++i) found_.cost += square_distance(points_[i], centre_of(i));
        return std::move(found_);
    }

private:
    const Point<D>& centre_of(std::size_t i) const { return found_.centres[std::size_t(found_.label[i])]; }

    // All distances of one point.
    void look(std::size_t i) {
        double best = std::numeric_limits<double>::infinity(), second = best;
        for (std::size_t c = 0; c < found_.centres.size(); ++c) {
            const double square = square_distance(points_[i], found_.centres[c]);
            if (square < best) {
                second = best;
                best = square;
                found_.label[i] = int(c);
            } else if (square < second) {
                second = square;
            }
        }
        nearest_[i] = std::sqrt(best);
        second_[i] = std::sqrt(second);
    }

    // Each to the mean of its points. Whether any moved. Bounds grow by as much as centres moved, so they stay true.
    bool move_centres() {
        const std::size_t k = found_.centres.size();
        std::vector<Point<D>> sum(k, Point<D>{});
        std::vector<int> count(k);
        for (std::size_t i = 0; i < points_.size(); ++i) {
            const auto c = std::size_t(found_.label[i]);
            ++count[c];
            for (std::size_t d = 0; d < D; ++d) sum[c][d] += points_[i][d];
        }
        std::vector<double> moved(k);
        double most = 0;
        for (std::size_t c = 0; c < k; ++c) {
            const Point<D> before = found_.centres[c];
            if (count[c] > 0)
                for (std::size_t d = 0; d < D; ++d) found_.centres[c][d] = sum[c][d] / count[c];
            else refill(c);
            moved[c] = std::sqrt(square_distance(before, found_.centres[c]));
            most = std::fmax(most, moved[c]);
        }
        for (std::size_t i = 0; i < points_.size(); ++i) {
            nearest_[i] += moved[std::size_t(found_.label[i])];
            second_[i] -= most;
        }
        return most > 0;
    }

    // To the point that is farthest from its centre, by the bounds: there another centre helps most. It is looked at again.
    void refill(std::size_t c) {
        constexpr double must_look = -std::numeric_limits<double>::infinity();
        std::size_t worst = 0;
        for (std::size_t i = 1; i < points_.size(); ++i)
            if (second_[worst] == must_look || (nearest_[i] > nearest_[worst] && second_[i] != must_look)) worst = i;
        found_.centres[c] = points_[worst];
        second_[worst] = must_look;
    }

    // Only points whose own centre may no longer be the nearest are looked at: those that are neither nearer to it than half the
    // way to the next centre, nor nearer than any other centre can be. Whether any label changed.
    bool relabel() {
        measure_gaps();
        bool is_changed = false;
        for (std::size_t i = 0; i < points_.size(); ++i) {
            const double safe = std::fmax(second_[i], half_gap_[std::size_t(found_.label[i])]);
            if (nearest_[i] < safe) continue;
            nearest_[i] = std::sqrt(square_distance(points_[i], centre_of(i)));
            if (nearest_[i] < safe) continue;
            const int before = found_.label[i];
            look(i);
            is_changed = is_changed || found_.label[i] != before;
        }
        return is_changed;
    }

    void measure_gaps() {
        const auto& centres = found_.centres;
        half_gap_.assign(centres.size(), std::numeric_limits<double>::infinity());
        for (std::size_t a = 0; a < centres.size(); ++a)
            for (std::size_t b = 0; b < a; ++b) {
                const double half = std::sqrt(square_distance(centres[a], centres[b])) / 2;
                half_gap_[a] = std::fmin(half_gap_[a], half);
                half_gap_[b] = std::fmin(half_gap_[b], half);
            }
    }

    const std::vector<Point<D>>& points_;
    Clusters<D> found_;
    // At most so far from its own centre, at least so far from each other one.
    std::vector<double> nearest_, second_;
    // Of each centre: half the way to the next one.
    std::vector<double> half_gap_;
};

// The best of `tries` beginnings.
template <std::size_t D>
Clusters<D> k_means(const std::vector<Point<D>>& points, int k, Random& random, int tries = 1, int most_rounds = 100) {
    Clusters<D> best;
    for (int i = 0; i < tries; ++i) {
        Clusters<D> found = KMeans<D>(points, spread_centres(points, k, random)).run(most_rounds);
        if (i == 0 || found.cost < best.cost) best = std::move(found);
    }
    return best;
}

}  // namespace polya
