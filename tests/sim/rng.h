/* rng.h: the only source of chance in the simulator; a seed gives the same numbers everywhere. */
#ifndef SIM_RNG_H
#define SIM_RNG_H

#include <stdbool.h>
#include <stdint.h>

struct rng {
    uint64_t s[4]; /* xoshiro256**; never all zero */
};

/* Streams with different names are independent for the same seed. */
void rng_init(struct rng *r, uint64_t seed, const char *stream);

uint64_t rng_next(struct rng *r);
double rng_unit(struct rng *r); /* [0, 1) */
double rng_between(struct rng *r, double lo, double hi);
int rng_int(struct rng *r, int lo, int hi); /* both ends included */
bool rng_chance(struct rng *r, double share);
double rng_exponential(struct rng *r, double mean);
double rng_lognormal(struct rng *r, double mean, double sigma);
void rng_shuffle(struct rng *r, int *items, int count);

#endif
