#include "requests.h"

#include "memory.h"

enum { BLOCK = 4096 };

struct request *requests_new(struct engine *e) {
    if (e->spare == NULL) {
        if (e->block_count == (int)(sizeof e->blocks / sizeof e->blocks[0]))
            return NULL;
        struct request *block = memory_new(BLOCK, sizeof *block);
        e->blocks[e->block_count++] = block;
        for (int i = 0; i < BLOCK; i++) {
            block[i].next = e->spare;
            e->spare = &block[i];
        }
    }
    struct request *r = e->spare;
    e->spare = r->next;
    *r = (struct request){
        .load = -1, .traffic = -1, .foreign = -1, .disk = -1, .made_s = e->now_s
    };
    return r;
}

void requests_free(struct engine *e, struct request *r) {
    r->next = e->spare;
    e->spare = r;
}
