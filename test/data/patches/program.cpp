#include <bits/stdc++.h>
using namespace std;

const int BEAM_WIDTH = 50; // tune: int 5..500 log
const double START_TEMPERATURE = 100.0;
const double END_TEMPERATURE = 1.0;

struct State {
    int score = 0;
    vector<int> order;
};

static uint32_t seed = 12345;

uint32_t nextRandom() {
    seed ^= seed << 13;
    seed ^= seed >> 17;
    seed ^= seed << 5;
    return seed;
}

int evaluate(const State& state) {
    int sum = 0;
    for (int i = 0; i < (int)state.order.size(); i++) {
        sum += state.order[i] * i;
    }
    return sum;
}

void improve(State& state, double until) {
    int steps = 0;
    while (now() < until) {
        int a = nextRandom() % state.order.size();
        int b = nextRandom() % state.order.size();
        if (a == b) continue;
        swap(state.order[a], state.order[b]);
        int score = evaluate(state);
        if (score < state.score) {
            swap(state.order[a], state.order[b]);
        } else {
            state.score = score;
        }
        steps++;
    }
}

int main() {
    int n;
    cin >> n;
    State state;
    for (int i = 0; i < n; i++) {
        state.order.push_back(i);
    }
    state.score = evaluate(state);
    improve(state, 1.8);
    for (int i = 0; i < n; i++) {
        cout << state.order[i] << "\n";
    }
}
