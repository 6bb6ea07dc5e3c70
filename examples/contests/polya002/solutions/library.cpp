// Simulated annealing over all routes, with headers of the library: a stop moves to beside one of its neighbours, two
// routes exchange their ends, a piece of a route is turned around. `polya ahc bundle` puts the headers in.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <numeric>
#include <utility>
#include <vector>

#include "bucket_grid.hpp"
#include "simulated_annealing.hpp"

namespace {

using Plane = polya::BucketGrid<int>;

struct Input {
    int stops, vans, capacity;
    // The depot is 0.
    std::vector<Plane::Point> places;
    std::vector<int> weight;
    std::vector<std::vector<int>> between, near;
};

Input read_input() {
    Input input;
    if (std::scanf("%d %d %d", &input.stops, &input.vans, &input.capacity) != 3) std::exit(1);
    input.places.resize(input.stops + 1);
    input.weight.resize(input.stops + 1);
    if (std::scanf("%d %d", &input.places[0].x, &input.places[0].y) != 2) std::exit(1);
    for (int stop = 1; stop <= input.stops; ++stop)
        if (std::scanf("%d %d %d", &input.places[stop].x, &input.places[stop].y, &input.weight[stop]) != 3) std::exit(1);
    const Plane plane(input.places);
    input.between.assign(input.stops + 1, std::vector<int>(input.stops + 1));
    for (int a = 0; a <= input.stops; ++a) {
        for (int b = 0; b <= input.stops; ++b)
            input.between[a][b] = int(std::sqrt(double(Plane::squared_distance(input.places[a], input.places[b]))) + 1e-9);
        input.near.push_back(plane.k_nearest(input.places[a], 12, a));
        std::erase(input.near[a], 0);
    }
    return input;
}

// Each route begins and ends with the depot.
struct Plan {
    std::vector<std::vector<int>> routes;
    std::vector<int> length, load;
    // Where a stop is.
    std::vector<int> van, at;

    int cost() const {
        return std::accumulate(length.begin(), length.end(), 0) + 3 * *std::max_element(length.begin(), length.end());
    }
};

class Planner {
public:
    Planner(const Input& input, double seconds)
        : input_(input), annealing_({.start_temperature = 60, .end_temperature = 1.5, .seconds = seconds}) {
        first_plan();
    }

    Plan solve() {
        best_ = plan_;
        int best_cost = cost_ = plan_.cost();
        while (annealing_.goes_on()) {
            const unsigned kind = random_.below(10);
            if (kind < 4) move_stops();
            else if (kind < 7) exchange_ends();
            else if (kind < 9) turn_around();
            else swap_stops();
            if (cost_ < best_cost) best_cost = cost_, best_ = plan_;
        }
        return best_;
    }

private:
    const Input& input_;
    polya::Annealing<polya::Goal::minimise> annealing_;
    polya::Random& random_ = annealing_.random();
    Plan plan_, best_;
    int cost_ = 0;

    int way(int from, int to) const { return input_.between[from][to]; }

    // The heaviest first, each to the van with the least load: that always fits.
    void first_plan() {
        plan_.routes.assign(input_.vans, {0, 0});
        plan_.length.assign(input_.vans, 0);
        plan_.load.assign(input_.vans, 0);
        plan_.van.assign(input_.stops + 1, -1);
        plan_.at.assign(input_.stops + 1, 0);
        std::vector<int> order(input_.stops);
        std::iota(order.begin(), order.end(), 1);
        std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return input_.weight[a] > input_.weight[b]; });
        for (const int stop : order) {
            const int van = int(std::min_element(plan_.load.begin(), plan_.load.end()) - plan_.load.begin());
            plan_.routes[van].insert(plan_.routes[van].end() - 1, stop);
            plan_.load[van] += input_.weight[stop];
        }
        for (int van = 0; van < input_.vans; ++van) {
            renew(van, 0);
            const auto& route = plan_.routes[van];
            for (std::size_t each = 1; each < route.size(); ++each) plan_.length[van] += way(route[each - 1], route[each]);
        }
    }

    void renew(int van, int from) {
        const auto& route = plan_.routes[van];
        for (int each = std::max(from, 1); each + 1 < int(route.size()); ++each)
            plan_.van[route[each]] = van, plan_.at[route[each]] = each;
    }

    // Whether to make a change of two routes' lengths; then they are changed.
    bool accepts(int a, int change_a, int b, int change_b) {
        plan_.length[a] += change_a, plan_.length[b] += change_b;
        const int cost = plan_.cost();
        if (annealing_.accepts(cost - cost_)) {
            cost_ = cost;
            return true;
        }
        plan_.length[a] -= change_a, plan_.length[b] -= change_b;
        return false;
    }

    // One to three stops in a row to before or behind a neighbour of the first or last, perhaps turned around.
    void move_stops() {
        const int stop = random_.between(1, input_.stops), from = plan_.van[stop], begin = plan_.at[stop];
        auto& route = plan_.routes[from];
        const int count = std::min(random_.between(1, 3), int(route.size()) - 1 - begin);
        const int end = begin + count;
        const bool to_depot = random_.below(16) == 0;
        const int beside = to_depot ? 0 : random_.pick(input_.near[stop]);
        const int to = to_depot ? int(random_.below(input_.vans)) : plan_.van[beside];
        auto& target = plan_.routes[to];
        // The gap is between place - 1 and place.
        const int place = (to_depot ? 0 : plan_.at[beside]) + (to_depot || random_.below(2) == 0 ? 1 : 0);
        if (from == to && begin <= place && place <= end) return;
        int weight = 0, inside = 0;
        for (int each = begin; each < end; ++each) {
            weight += input_.weight[route[each]];
            if (each > begin) inside += way(route[each - 1], route[each]);
        }
        if (from != to && plan_.load[to] + weight > input_.capacity) return;
        const int first = route[begin], last = route[end - 1];
        const int leaves = way(route[begin - 1], route[end]) - way(route[begin - 1], first) - way(last, route[end]) - inside;
        const int before = target[place - 1], behind = target[place];
        const int straight = way(before, first) + way(last, behind), turned = way(before, last) + way(first, behind);
        const int arrives = std::min(straight, turned) + inside - way(before, behind);
        if (!accepts(from, leaves, to, arrives)) return;
        std::array<int, 3> moved{};
        std::copy(route.begin() + begin, route.begin() + end, moved.begin());
        if (turned < straight) std::reverse(moved.begin(), moved.begin() + count);
        if (from == to) {
            route.erase(route.begin() + begin, route.begin() + end);
            route.insert(route.begin() + (place > begin ? place - count : place), moved.begin(), moved.begin() + count);
            renew(from, std::min(begin, place));
            return;
        }
        route.erase(route.begin() + begin, route.begin() + end);
        target.insert(target.begin() + place, moved.begin(), moved.begin() + count);
        plan_.load[from] -= weight, plan_.load[to] += weight;
        renew(from, begin), renew(to, place);
    }

    // The ends of two routes change places where a stop comes to follow a neighbour.
    void exchange_ends() {
        const int stop = random_.between(1, input_.stops), other = random_.pick(input_.near[stop]);
        const int a = plan_.van[stop], b = plan_.van[other];
        if (a == b) return;
        auto &left = plan_.routes[a], &right = plan_.routes[b];
        // The first of each end: what follows `stop`, and `other`.
        const int i = plan_.at[stop] + 1, j = plan_.at[other];
        const auto [end_a, weight_a] = end_of(left, i);
        const auto [end_b, weight_b] = end_of(right, j);
        const int shift = weight_b - weight_a;
        if (plan_.load[a] + shift > input_.capacity || plan_.load[b] - shift > input_.capacity) return;
        const int change_a = way(stop, right[j]) + end_b - way(stop, left[i]) - end_a;
        const int change_b = way(right[j - 1], left[i]) + end_a - way(right[j - 1], right[j]) - end_b;
        if (!accepts(a, change_a, b, change_b)) return;
        const std::vector<int> kept(left.begin() + i, left.end());
        left.resize(i);
        left.insert(left.end(), right.begin() + j, right.end());
        right.resize(j);
        right.insert(right.end(), kept.begin(), kept.end());
        plan_.load[a] += shift, plan_.load[b] -= shift;
        renew(a, i), renew(b, j);
    }

    // Length and weight of a route from a place on.
    std::pair<int, int> end_of(const std::vector<int>& route, int from) const {
        int length = 0, weight = 0;
        for (int each = from; each + 1 < int(route.size()); ++each)
            length += way(route[each], route[each + 1]), weight += input_.weight[route[each]];
        return {length, weight};
    }

    void turn_around() {
        const int stop = random_.between(1, input_.stops), other = random_.pick(input_.near[stop]);
        const int van = plan_.van[stop];
        if (plan_.van[other] != van) return;
        auto& route = plan_.routes[van];
        // So that the two come to stand side by side.
        const int begin = std::min(plan_.at[stop], plan_.at[other]) + 1, end = std::max(plan_.at[stop], plan_.at[other]);
        if (end <= begin) return;
        const int change = way(route[begin - 1], route[end]) + way(route[begin], route[end + 1]) -
                           way(route[begin - 1], route[begin]) - way(route[end], route[end + 1]);
        if (!accepts(van, change, van, 0)) return;
        std::reverse(route.begin() + begin, route.begin() + end + 1);
        renew(van, begin);
    }

    void swap_stops() {
        const int a = random_.between(1, input_.stops), b = random_.between(1, input_.stops);
        const int van_a = plan_.van[a], van_b = plan_.van[b], i = plan_.at[a], j = plan_.at[b];
        if (van_a == van_b) return;
        const int more = input_.weight[b] - input_.weight[a];
        if (plan_.load[van_a] + more > input_.capacity || plan_.load[van_b] - more > input_.capacity) return;
        auto &left = plan_.routes[van_a], &right = plan_.routes[van_b];
        const int change_a = way(left[i - 1], b) + way(b, left[i + 1]) - way(left[i - 1], a) - way(a, left[i + 1]);
        const int change_b = way(right[j - 1], a) + way(a, right[j + 1]) - way(right[j - 1], b) - way(b, right[j + 1]);
        if (!accepts(van_a, change_a, van_b, change_b)) return;
        left[i] = b, right[j] = a;
        plan_.load[van_a] += more, plan_.load[van_b] -= more;
        plan_.van[a] = van_b, plan_.at[a] = j, plan_.van[b] = van_a, plan_.at[b] = i;
    }
};

}  // namespace

int main() {
    const Input input = read_input();
    const Plan plan = Planner(input, 0.8).solve();
    for (const auto& route : plan.routes) {
        std::printf("%zu", route.size() - 2);
        for (std::size_t each = 1; each + 1 < route.size(); ++each) std::printf(" %d", route[each]);
        std::printf("\n");
    }
}
