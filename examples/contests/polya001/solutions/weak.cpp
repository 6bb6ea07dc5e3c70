// Lights the cell that is worth most, with the weakest lantern, as often as that pays.
#include <bits/stdc++.h>
using namespace std;

int main() {
    int n, k;
    cin >> n >> k;
    vector<int> cost(5);
    for (int& each : cost) cin >> each;
    vector<vector<int>> worth(n, vector<int>(n));
    for (auto& row : worth)
        for (int& cell : row) cin >> cell;
    vector<vector<int>> lit(n, vector<int>(n));
    vector<array<int, 2>> lanterns;
    const int di[] = {0, 0, 1, 0, -1}, dj[] = {0, 1, 0, -1, 0};
    for (int t = 0; t < k; t++) {
        int best = -1, row = 0, column = 0;
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++)
                if (!lit[i][j] && worth[i][j] > best) best = worth[i][j], row = i, column = j;
        if (best < 0) break;
        int gain = -cost[0];
        vector<array<int, 2>> cells;
        for (int d = 0; d < 5; d++) {
            int i = row + di[d], j = column + dj[d];
            if (i < 0 || j < 0 || i >= n || j >= n || worth[i][j] < 0 || lit[i][j]) continue;
            gain += worth[i][j];
            cells.push_back({i, j});
        }
        if (gain <= 0) break;
        for (auto [i, j] : cells) lit[i][j] = 1;
        lanterns.push_back({row, column});
    }
    printf("%zu\n", lanterns.size());
    for (auto [i, j] : lanterns) printf("%d %d 1\n", i, j);
}
