// What the weak solution does, with its choices as constants, which as they stand make it no better: each stop goes to
// the van that carries least. `polya ahc tune` finds better ones.
#include <cmath>
#include <cstdio>
#include <vector>
using namespace std;

const double LENGTH_WEIGHT = 0.0; // tune: 0..2
const double DETOUR_WEIGHT = 0.0; // tune: 0..2

int main() {
    int n, vans, capacity;
    if (scanf("%d %d %d", &n, &vans, &capacity) != 3) return 1;
    vector<double> x(n + 1), y(n + 1);
    vector<vector<int>> routes(vans, vector<int>{0});
    vector<double> lengths(vans);
    vector<int> load(vans);
    auto between = [&](int a, int b) { return hypot(x[a] - x[b], y[a] - y[b]); };
    if (scanf("%lf %lf", &x[0], &y[0]) != 2) return 1;
    for (int stop = 1; stop <= n; stop++) {
        int weight;
        if (scanf("%lf %lf %d", &x[stop], &y[stop], &weight) != 3) return 1;
        int best = -1, lightest = 0;
        size_t best_at = 0;
        double best_value = 0, best_detour = 0;
        for (int van = 0; van < vans; van++) {
            if (load[van] < load[lightest]) lightest = van;
            if (load[van] + weight > capacity) continue;
            // With no weight on detours it is put at the end, as the weak solution does.
            size_t at = routes[van].size();
            double detour = between(routes[van].back(), stop) + between(stop, 0) - between(routes[van].back(), 0);
            for (size_t before = 1; DETOUR_WEIGHT > 0 && before < routes[van].size(); before++) {
                int a = routes[van][before - 1], b = routes[van][before];
                double other = between(a, stop) + between(stop, b) - between(a, b);
                if (other < detour) detour = other, at = before;
            }
            double value = load[van] + LENGTH_WEIGHT * lengths[van] + DETOUR_WEIGHT * detour;
            if (best < 0 || value < best_value) best = van, best_at = at, best_value = value, best_detour = detour;
        }
        if (best < 0) best = lightest, best_at = routes[best].size();
        routes[best].insert(routes[best].begin() + best_at, stop);
        lengths[best] += best_detour;
        load[best] += weight;
    }
    for (auto& route : routes) {
        printf("%zu", route.size() - 1);
        for (size_t at = 1; at < route.size(); at++) printf(" %d", route[at]);
        puts("");
    }
}
