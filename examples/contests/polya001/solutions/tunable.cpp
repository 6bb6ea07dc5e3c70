// What the weak solution does, with its choices as constants, which as they stand make it no better: one power for all
// lanterns, each where the cell itself is worth most. `polya ahc tune` finds better ones.
#include <algorithm>
#include <cstdio>
#include <vector>
using namespace std;

const int POWER = 1;                 // tune: int 1..5
const double NEIGHBOUR_WEIGHT = 0.0; // tune: 0..2
const double LEAST_PROFIT = 1.0;     // tune: 0.5..3

int n, k;
vector<int> worth, steps;

// The open cells that a lantern lights: those that light reaches in at most POWER steps.
static vector<int> lit_from(int start) {
    fill(steps.begin(), steps.end(), -1);
    vector<int> queue{start};
    steps[start] = 0;
    for (size_t head = 0; head < queue.size(); head++) {
        int cell = queue[head];
        if (steps[cell] == POWER) continue;
        auto visit = [&](int next) {
            if (worth[next] >= 0 && steps[next] < 0) steps[next] = steps[cell] + 1, queue.push_back(next);
        };
        if (cell / n > 0) visit(cell - n);
        if (cell / n + 1 < n) visit(cell + n);
        if (cell % n > 0) visit(cell - 1);
        if (cell % n + 1 < n) visit(cell + 1);
    }
    return queue;
}

int main() {
    if (scanf("%d %d", &n, &k) != 2) return 1;
    int costs[5];
    for (int& each : costs)
        if (scanf("%d", &each) != 1) return 1;
    worth.resize(n * n);
    steps.resize(n * n);
    for (int& each : worth)
        if (scanf("%d", &each) != 1) return 1;
    vector<vector<int>> reach(n * n);
    for (int cell = 0; cell < n * n; cell++)
        if (worth[cell] >= 0) reach[cell] = lit_from(cell);
    vector<char> lit(n * n);
    vector<int> lanterns;
    while (int(lanterns.size()) < k) {
        int best = -1;
        double best_value = -1;
        for (int cell = 0; cell < n * n; cell++) {
            if (worth[cell] < 0 || lit[cell]) continue;
            double value = worth[cell];
            for (int other : reach[cell])
                if (other != cell && !lit[other]) value += NEIGHBOUR_WEIGHT * worth[other];
            if (value > best_value) best = cell, best_value = value;
        }
        if (best < 0) break;
        int gain = 0;
        for (int cell : reach[best])
            if (!lit[cell]) gain += worth[cell];
        if (gain <= LEAST_PROFIT * costs[POWER - 1]) break;
        for (int cell : reach[best]) lit[cell] = 1;
        lanterns.push_back(best);
    }
    printf("%zu\n", lanterns.size());
    for (int cell : lanterns) printf("%d %d %d\n", cell / n, cell % n, POWER);
}
