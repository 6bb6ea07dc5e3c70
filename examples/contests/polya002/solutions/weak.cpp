// Gives each stop to the van that carries least so far, in the order of the input.
#include <bits/stdc++.h>
using namespace std;

int main() {
    int n, vans, capacity, x, y;
    cin >> n >> vans >> capacity >> x >> y;
    vector<vector<int>> routes(vans);
    vector<int> load(vans);
    for (int stop = 1; stop <= n; stop++) {
        int weight;
        cin >> x >> y >> weight;
        int van = int(min_element(load.begin(), load.end()) - load.begin());
        load[van] += weight;
        routes[van].push_back(stop);
    }
    for (auto& route : routes) {
        printf("%zu", route.size());
        for (int stop : route) printf(" %d", stop);
        puts("");
    }
}
