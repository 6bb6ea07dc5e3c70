// Simulated annealing over the set of lanterns: add, remove, move, or change the power of one.
#include <bits/stdc++.h>
using namespace std;

const double TIME_LIMIT = 0.45;
const double START_TEMPERATURE = 120.0;
const double END_TEMPERATURE = 2.0;
const int POWERS = 5;

static uint64_t state = 88172645463325252ULL;
static uint32_t draw() {
    state ^= state << 7;
    state ^= state >> 9;
    return uint32_t(state >> 16);
}
static int below(int bound) { return int((uint64_t(draw()) * bound) >> 32); }
static double uniform() { return draw() / 4294967296.0; }

int n, k;
int cost_of[POWERS];
vector<int> worth;
// reach[power][cell]: the cells that a lantern there lights.
vector<vector<int>> reach[POWERS];
vector<int> light_count;

static void find_reach() {
    for (int power = 0; power < POWERS; power++) reach[power].resize(n * n);
    vector<int> steps(n * n);
    for (int start = 0; start < n * n; start++) {
        if (worth[start] < 0) continue;
        fill(steps.begin(), steps.end(), -1);
        vector<int> queue{start};
        steps[start] = 0;
        for (size_t head = 0; head < queue.size(); head++) {
            int cell = queue[head], row = cell / n, column = cell % n;
            for (int power = max(steps[cell], 1) - 1; power < POWERS; power++) reach[power][start].push_back(cell);
            if (steps[cell] == POWERS) continue;
            auto visit = [&](int next) {
                if (worth[next] >= 0 && steps[next] < 0) steps[next] = steps[cell] + 1, queue.push_back(next);
            };
            if (row > 0) visit(cell - n);
            if (row + 1 < n) visit(cell + n);
            if (column > 0) visit(cell - 1);
            if (column + 1 < n) visit(cell + 1);
        }
    }
}

struct Lantern {
    int cell, power;
};

static int put(Lantern lantern) {
    int gain = -cost_of[lantern.power];
    for (int cell : reach[lantern.power][lantern.cell])
        if (light_count[cell]++ == 0) gain += worth[cell];
    return gain;
}

static int take(Lantern lantern) {
    int gain = cost_of[lantern.power];
    for (int cell : reach[lantern.power][lantern.cell])
        if (--light_count[cell] == 0) gain -= worth[cell];
    return gain;
}

int main() {
    auto begin = chrono::steady_clock::now();
    if (scanf("%d %d", &n, &k) != 2) return 1;
    for (int& each : cost_of)
        if (scanf("%d", &each) != 1) return 1;
    worth.resize(n * n);
    vector<int> open_cells;
    for (int cell = 0; cell < n * n; cell++) {
        if (scanf("%d", &worth[cell]) != 1) return 1;
        if (worth[cell] >= 0) open_cells.push_back(cell);
    }
    find_reach();
    light_count.assign(n * n, 0);
    vector<Lantern> lanterns, best;
    int score = 0, best_score = 0;
    double temperature = START_TEMPERATURE;
    for (int iteration = 0;; iteration++) {
        if (iteration % 64 == 0) {
            double spent = chrono::duration<double>(chrono::steady_clock::now() - begin).count() / TIME_LIMIT;
            if (spent >= 1) break;
            temperature = START_TEMPERATURE * pow(END_TEMPERATURE / START_TEMPERATURE, spent);
        }
        auto accepts = [&](int gain) { return gain >= 0 || uniform() < exp(gain / temperature); };
        int kind = below(4);
        if (kind == 0 || lanterns.empty()) {
            if (int(lanterns.size()) == k) continue;
            Lantern added{open_cells[below(int(open_cells.size()))], below(POWERS)};
            int gain = put(added);
            if (accepts(gain)) score += gain, lanterns.push_back(added);
            else take(added);
        } else {
            int index = below(int(lanterns.size()));
            Lantern old = lanterns[index];
            int gain = take(old);
            if (kind == 1) {
                if (accepts(gain)) score += gain, lanterns[index] = lanterns.back(), lanterns.pop_back();
                else put(old);
            } else {
                Lantern changed = old;
                if (kind == 2) {
                    const vector<int>& near = reach[2][old.cell];
                    changed.cell = near[below(int(near.size()))];
                } else {
                    changed.power = below(POWERS);
                }
                gain += put(changed);
                if (accepts(gain)) score += gain, lanterns[index] = changed;
                else take(changed), put(old);
            }
        }
        if (score > best_score) best_score = score, best = lanterns;
    }
    printf("%zu\n", best.size());
    for (Lantern each : best) printf("%d %d %d\n", each.cell / n, each.cell % n, each.power + 1);
}
