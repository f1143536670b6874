#include "rng.h"

#include <math.h>
#include <stddef.h>

static uint64_t rotate(uint64_t x, int k) {
    return (x << k) | (x >> (64 - k));
}

/* splitmix64 spreads a small seed over the whole state, as the authors of xoshiro advise. */
static uint64_t split(uint64_t *x) {
    uint64_t z = (*x += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

void rng_init(struct rng *r, uint64_t seed, const char *stream) {
    uint64_t x = 0xcbf29ce484222325u; /* FNV-1a of the stream's name */
    for (const char *p = stream; *p != '\0'; p++)
        x = (x ^ (uint64_t)(unsigned char)*p) * 0x100000001b3u;
    x ^= seed * 0x9e3779b97f4a7c15u;
    for (size_t i = 0; i < 4; i++)
        r->s[i] = split(&x);
}

uint64_t rng_next(struct rng *r) {
    uint64_t *s = r->s, result = rotate(s[1] * 5, 7) * 9, t = s[1] << 17;
    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= t;
    s[3] = rotate(s[3], 45);
    return result;
}

double rng_unit(struct rng *r) {
    return (double)(rng_next(r) >> 11) * 0x1.0p-53;
}

double rng_between(struct rng *r, double lo, double hi) {
    return lo + (hi - lo) * rng_unit(r);
}

int rng_int(struct rng *r, int lo, int hi) {
    return lo + (int)(rng_unit(r) * (double)(hi - lo + 1));
}

bool rng_chance(struct rng *r, double share) {
    return rng_unit(r) < share;
}

double rng_exponential(struct rng *r, double mean) {
    return -mean * log(1.0 - rng_unit(r));
}

/* "mean" is the mean of the result, not of its logarithm. */
double rng_lognormal(struct rng *r, double mean, double sigma) {
    const double pi = 3.14159265358979323846;
    double u = rng_unit(r), v = rng_unit(r); /* drawn in this order whatever the compiler */
    double z = sqrt(-2.0 * log(1.0 - u)) * cos(2.0 * pi * v);
    return mean * exp(sigma * z - sigma * sigma / 2.0);
}

void rng_shuffle(struct rng *r, int *items, int count) {
    for (int i = count - 1; i > 0; i--) {
        int j = rng_int(r, 0, i), held = items[i];
        items[i] = items[j];
        items[j] = held;
    }
}
