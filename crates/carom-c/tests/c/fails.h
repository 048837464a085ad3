// Calls that must be refused.
#ifndef FAILS_H
#define FAILS_H

#include "scene.h"

// The call fails with this status, and the message has this text.
#define FAILS(call, expected, text)                                                                          \
    do {                                                                                                     \
        CaromStatus status_ = (call);                                                                        \
        if (status_ != (expected) || strstr(carom_last_error(), text) == NULL) {                             \
            fprintf(stderr, "%s:%d: %s: %s: %s; wanted %s with \"%s\"\n", __FILE__, __LINE__, #call,         \
                    carom_status_name(status_), carom_last_error(), carom_status_name(expected), text);      \
            exit(1);                                                                                         \
        }                                                                                                    \
    } while (0)

#endif
