#ifndef DDBSIM_XXHASH_DISPATCHES
#define XXH_INLINE_ALL
#endif
#include "sim/digest.h"

#include "sim/check.h"

#include <endian.h>
#include <string.h>
#include <xxhash.h>
#ifdef DDBSIM_XXHASH_DISPATCHES
#include <xxh_x86dispatch.h> /* XXH3_128bits_update: by the widest vectors that the processor has */
#endif

bool digest_init(struct digest *digest, struct err *err) {
    digest->count = 0;
    XXH3_state_t *state = XXH3_createState();
    digest->state = state;
    if (state == NULL) {
        return err_no_memory(err, "digest");
    }
    XXH_errorcode reset = XXH3_128bits_reset(state);
    SIM_CHECK(reset == XXH_OK);
    return true;
}

void digest_fini(struct digest *digest) {
    XXH3_freeState(digest->state);
    digest->state = NULL;
    digest->count = 0;
}

void digest_flush(struct digest *digest) {
    SIM_CHECK(digest->state != NULL);
    SIM_CHECK(digest->count <= DIGEST_BUFFER_WORDS);
    for (size_t i = 0; i < digest->count; i++) {
        digest->words[i] = htole64(digest->words[i]);
    }
    XXH_errorcode update =
        XXH3_128bits_update(digest->state, digest->words, digest->count * sizeof digest->words[0]);
    SIM_CHECK(update == XXH_OK);
    digest->count = 0;
}

void digest_words(struct digest *digest, const uint64_t *words, size_t count) {
    while (count > 0) {
        if (digest->count == DIGEST_BUFFER_WORDS) {
            digest_flush(digest);
        }
        size_t room = DIGEST_BUFFER_WORDS - digest->count;
        size_t taken = count < room ? count : room;
        memcpy(digest->words + digest->count, words, taken * sizeof *words);
        digest->count += taken;
        words += taken;
        count -= taken;
    }
}

void digest_text(struct digest *digest, char text[DIGEST_TEXT_BYTES]) {
    digest_flush(digest);
    XXH128_hash_t hash = XXH3_128bits_digest(digest->state);
    hash128_text((struct hash128){.low = hash.low64, .high = hash.high64}, text);
}
