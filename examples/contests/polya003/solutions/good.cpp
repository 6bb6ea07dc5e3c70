// Each answer rules cells out for good: no spring is nearer than the answer less one. Among those that are left, it listens
// where most of what was heard since the last find agrees, and digs where it hears nothing but the spring itself.
#include <bits/stdc++.h>
using namespace std;

int n, m, spent = 0;

int ask(char what, int i, int j) {
    int answer;
    cout << what << ' ' << i << ' ' << j << endl;
    cin >> answer;
    spent += what == '?' ? 10 : 60;
    return answer;
}

struct Heard {
    int i, j, answer;
};

int main() {
    cin >> n >> m;
    vector<vector<int>> possible(n, vector<int>(n, 1)), tried(n, vector<int>(n));
    vector<Heard> heard;
    int found = 0, given = 0;
    while (found < m && given < 300) {
        double best = -1e18;
        int row = -1, column = -1;
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++) {
                if (!possible[i][j]) continue;
                double worth = -1e-4 * (abs(2 * i - n + 1) + abs(2 * j - n + 1)) - 0.7 * tried[i][j];
                for (auto& each : heard) {
                    int off = abs(abs(each.i - i) + abs(each.j - j) - each.answer);
                    if (off <= 1) worth += (off == 0 ? 1.0 : 0.35) / (1 + 0.3 * each.answer);
                }
                if (worth > best) best = worth, row = i, column = j;
            }
        if (row < 0) break;
        int answer = ask('?', row, column);
        tried[row][column]++;
        given++;
        heard.push_back({row, column, answer});
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++)
                if (abs(row - i) + abs(column - j) < answer - 1) possible[i][j] = 0;
        if (answer != 0) continue;
        possible[row][column] = 0;
        if (!ask('#', row, column)) continue;
        found++;
        given = 0;
        // What was heard may have been this one.
        vector<Heard> others;
        for (auto& each : heard)
            if (abs(each.i - row) + abs(each.j - column) > each.answer + 1) others.push_back(each);
        heard = others;
    }
    cout << '!' << endl;
}
