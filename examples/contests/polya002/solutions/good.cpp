// Simulated annealing over all routes: move a stop, swap two, turn a piece of a route around.
#include <bits/stdc++.h>
using namespace std;

const double TIME_LIMIT = 0.45;
const double START_TEMPERATURE = 300.0;
const double END_TEMPERATURE = 3.0;

static uint64_t state = 88172645463325252ULL;
static uint32_t draw() {
    state ^= state << 7;
    state ^= state >> 9;
    return uint32_t(state >> 16);
}
static int below(int bound) { return int((uint64_t(draw()) * bound) >> 32); }
static double uniform() { return draw() / 4294967296.0; }

int n, vans, capacity;
vector<int> weight_of;
vector<vector<int>> between;

static int length(const vector<int>& route) {
    int at = 0, sum = 0;
    for (int stop : route) sum += between[at][stop], at = stop;
    return sum + between[at][0];
}

int main() {
    auto begin = chrono::steady_clock::now();
    if (scanf("%d %d %d", &n, &vans, &capacity) != 3) return 1;
    vector<int> x(n + 1), y(n + 1);
    weight_of.assign(n + 1, 0);
    if (scanf("%d %d", &x[0], &y[0]) != 2) return 1;
    for (int stop = 1; stop <= n; stop++)
        if (scanf("%d %d %d", &x[stop], &y[stop], &weight_of[stop]) != 3) return 1;
    between.assign(n + 1, vector<int>(n + 1));
    for (int a = 0; a <= n; a++)
        for (int b = 0; b <= n; b++) between[a][b] = int(hypot(x[a] - x[b], y[a] - y[b]) + 1e-9);
    vector<vector<int>> routes(vans);
    vector<int> load(vans), lengths(vans);
    for (int stop = 1; stop <= n; stop++) {
        int van = int(min_element(load.begin(), load.end()) - load.begin());
        load[van] += weight_of[stop];
        routes[van].push_back(stop);
    }
    for (int van = 0; van < vans; van++) lengths[van] = length(routes[van]);
    auto cost_of = [&] { return accumulate(lengths.begin(), lengths.end(), 0) + 3 * *max_element(lengths.begin(), lengths.end()); };
    int cost = cost_of(), best_cost = cost;
    auto best = routes;
    double temperature = START_TEMPERATURE;
    for (int iteration = 0;; iteration++) {
        if (iteration % 64 == 0) {
            double spent = chrono::duration<double>(chrono::steady_clock::now() - begin).count() / TIME_LIMIT;
            if (spent >= 1) break;
            temperature = START_TEMPERATURE * pow(END_TEMPERATURE / START_TEMPERATURE, spent);
        }
        int a = below(vans), b = below(vans), kind = below(3);
        if (routes[a].empty() || (kind > 0 && routes[b].empty())) continue;
        vector<int> before_a = routes[a], before_b = routes[b];
        int i = below(int(routes[a].size()));
        int shift = 0;
        if (kind == 0) {
            int stop = routes[a][i];
            if (a != b && load[b] + weight_of[stop] > capacity) continue;
            routes[a].erase(routes[a].begin() + i);
            routes[b].insert(routes[b].begin() + below(int(routes[b].size()) + 1), stop);
            shift = a != b ? weight_of[stop] : 0;
        } else if (kind == 1) {
            int j = below(int(routes[b].size()));
            int difference = weight_of[routes[a][i]] - weight_of[routes[b][j]];
            if (a != b && (load[b] + difference > capacity || load[a] - difference > capacity)) continue;
            swap(routes[a][i], routes[b][j]);
            shift = a != b ? difference : 0;
        } else {
            int j = below(int(routes[a].size()));
            reverse(routes[a].begin() + min(i, j), routes[a].begin() + max(i, j) + 1);
        }
        int old_a = lengths[a], old_b = lengths[b];
        lengths[a] = length(routes[a]);
        lengths[b] = length(routes[b]);
        int changed = cost_of();
        if (changed <= cost || uniform() < exp((cost - changed) / temperature)) {
            cost = changed;
            load[a] -= shift;
            load[b] += shift;
            if (cost < best_cost) best_cost = cost, best = routes;
        } else {
            lengths[a] = old_a;
            lengths[b] = old_b;
            routes[a] = before_a;
            routes[b] = before_b;
        }
    }
    for (auto& route : best) {
        printf("%zu", route.size());
        for (int stop : route) printf(" %d", stop);
        puts("");
    }
}
