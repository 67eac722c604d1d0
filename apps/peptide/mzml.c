/* SPDX-License-Identifier: Apache-2.0 */
/* mzML 1.1 (HUPO-PSI): expat finds the spectra, whose arrays are decoded by all threads, a batch at a time. The index
 * of an indexedmzML file is not needed and not looked at. */
#include "spectra.h"

#include "app.h"

#include <expat.h>
#include <stdlib.h>
#include <string.h>

enum { BATCH_ITEMS = 4096, BATCH_BYTES = 32 << 20 };
/* What a file may make us allocate. zlib can unpack a thousand times; more numbers than ARRAY_CHEAP are only taken from
 * data that have a byte for every NUMBERS_PER_BYTE, as measured ones have. */
enum {
    ARRAY_MOST = 1 << 24,
    ARRAY_CHEAP = 1 << 18,
    NUMBERS_PER_BYTE = 8,
    SPECTRUM_BYTES = 512 << 20,
    TAG_BYTES = 16 << 20,
    GROUPS_MOST = 1024,
    GROUP_BYTES = 64 << 10
};

enum array_kind { ARRAY_OTHER, ARRAY_MZ, ARRAY_INTENSITY };

struct array {
    enum array_kind kind;
    size_t text, length; /* base64, in the batch's text */
    bool packed, whole, coded;
    int width;
    long count;
};

struct item {
    struct spectrum about;
    int level; /* -1: not said */
    bool precursor, profile;
    long line, count; /* count: defaultArrayLength */
    struct array mz, intensity;
};

/* A referenceable group of parameters: pairs of accession and value, one after the other. */
struct group {
    char *id, *text;
    size_t used, room;
};

struct mzml {
    struct spectra *spectra;
    const char *name;
    XML_Parser parser;
    struct note note;
    bool root, in_spectrum, in_ion, in_array, in_binary;
    int ions; /* selected ions seen in this spectrum: the first one counts */
    struct item *items, now;
    long count, index;
    struct array array;
    size_t fed, seen; /* bytes; up to where expat has looked */
    char *text;       /* the batch's */
    size_t used, room;
    struct group *groups, *group;
    long group_count;
};

static void stop(struct mzml *m, const char *what) {
    note_fail(&m->note, "%s:%lu: %s", m->name, (unsigned long)XML_GetCurrentLineNumber(m->parser), what);
    XML_StopParser(m->parser, XML_FALSE);
}

static const char *find(const XML_Char **attributes, const char *name) {
    for (; *attributes; attributes += 2)
        if (!strcmp(attributes[0], name))
            return attributes[1];
    return NULL;
}

static long array_length(struct mzml *m, const char *text, long otherwise) {
    char *end;
    if (!text)
        return otherwise;
    const long count = strtol(text, &end, 10);
    if (end == text || *end || count < 0 || count > ARRAY_MOST)
        stop(m, "this array length is not from 0 to 16777216");
    return end == text || *end || count < 0 || count > ARRAY_MOST ? 0 : count;
}

static void array_param(struct mzml *m, long id) {
    struct array *a = &m->array;
    if (id == 1000514 || id == 1000515)
        a->kind = id == 1000514 ? ARRAY_MZ : ARRAY_INTENSITY;
    else if (id == 1000521 || id == 1000523 || id == 1000519 || id == 1000522)
        a->width = id == 1000521 || id == 1000519 ? 4 : 8, a->whole = id == 1000519 || id == 1000522;
    else if (id == 1000574)
        a->packed = true;
    else if ((id >= 1002312 && id <= 1002314) || (id >= 1002746 && id <= 1002748))
        a->coded = true; /* MS-Numpress */
}

/* All of the text is a number. */
static bool is_number(const char *text, double *number) {
    char *end;
    *number = strtod(text, &end);
    return end != text && !*end && *number - *number == 0;
}

static double number_of(struct mzml *m, const char *text, const char *what) {
    double number;
    if (is_number(text, &number))
        return number;
    stop(m, what);
    return 0;
}

static void ion_param(struct mzml *m, long id, const char *value) {
    struct spectrum *about = &m->now.about;
    if (id == 1000744) {
        about->mz = number_of(m, value, "the m/z of a selected ion is no number");
        m->now.precursor = true;
    } else if (id == 1000041 || id == 1000633) {
        const double charge = number_of(m, value, "the charge of a selected ion is no number");
        if (charge >= 1 && charge <= CHARGE_MOST)
            about->charges |= 1u << (int)charge;
    }
}

/* Seconds; -1, not known, where it is no number or in another unit than seconds and minutes. */
static double scan_time(const char *value, const char *unit) {
    double number;
    const bool minutes = !strcmp(unit, "UO:0000031"), seconds = !*unit || !strcmp(unit, "UO:0000010");
    return is_number(value, &number) && number >= 0 && (minutes || seconds) ? number * (minutes ? 60 : 1) : -1;
}

static void param(struct mzml *m, const char *accession, const char *value, const char *unit) {
    if (strncmp(accession, "MS:", 3) != 0)
        return;
    const long id = strtol(accession + 3, NULL, 10);
    if (m->in_array) {
        array_param(m, id);
    } else if (m->in_ion) {
        ion_param(m, id, value);
    } else if (id == 1000511) {
        m->now.level = number_of(m, value, "the level of a spectrum is no number") == 1 ? 1 : 2;
    } else if (id == 1000128) {
        m->now.profile = true;
    } else if (id == 1000016) {
        m->now.about.seconds = scan_time(value, unit);
    } else if (id == 1000827 && !m->now.precursor) { /* isolation window: better than nothing */
        m->now.about.mz = number_of(m, value, "the target of an isolation window is no number");
        m->now.precursor = m->now.about.mz > 0;
    }
}

static void group_add(struct group *g, const char *text) {
    const size_t length = strlen(text) + 1;
    while (g->used + length > g->room)
        g->text = app_resize(g->text, g->room = g->room ? 2 * g->room : 256, 1);
    memcpy(g->text + g->used, text, length);
    g->used += length;
}

static void on_param(struct mzml *m, const XML_Char **attributes) {
    const char *accession = find(attributes, "accession"), *value = find(attributes, "value"),
               *unit = find(attributes, "unitAccession");
    if (!accession)
        return;
    value = value ? value : "";
    unit = unit ? unit : "";
    if (m->group) {
        if (m->group->used + strlen(accession) + strlen(value) + strlen(unit) >
            GROUP_BYTES) { /* all spectra may refer to it */
            stop(m, "a group of parameters of more than 64 kB");
            return;
        }
        group_add(m->group, accession);
        group_add(m->group, value);
        group_add(m->group, unit);
    } else if (m->in_spectrum) {
        param(m, accession, value, unit);
    }
}

static void open_group(struct mzml *m, const char *id) {
    if (m->group_count == GROUPS_MOST) {
        stop(m, "more than 1024 groups of parameters");
        return;
    }
    m->groups = app_resize(m->groups, (size_t)m->group_count + 1, sizeof *m->groups);
    m->group = &m->groups[m->group_count++];
    *m->group = (struct group){.id = strdup(id ? id : "")};
}

static void use_group(struct mzml *m, const char *id) {
    for (long k = 0; id && m->in_spectrum && k < m->group_count; k++) {
        const struct group *g = &m->groups[k];
        for (const char *at = g->text; !strcmp(g->id, id) && at && at < g->text + g->used;) {
            const char *value = at + strlen(at) + 1, *unit = value + strlen(value) + 1;
            param(m, at, value, unit);
            at = unit + strlen(unit) + 1;
        }
    }
}

/* The number after "scan=" in the native id, otherwise the place in the file. */
static long scan_of(const char *id, long place) {
    const char *at = id ? strstr(id, "scan=") : NULL;
    return at ? strtol(at + 5, NULL, 10) : place;
}

static void open_spectrum(struct mzml *m, const XML_Char **attributes) {
    m->index++;
    m->in_spectrum = true;
    m->ions = 0;
    m->now = (struct item){.level = -1, .line = (long)XML_GetCurrentLineNumber(m->parser)};
    m->now.about.seconds = -1;
    m->now.about.scan = scan_of(find(attributes, "id"), m->index);
    m->now.count = array_length(m, find(attributes, "defaultArrayLength"), 0);
}

static void XMLCALL on_start(void *user, const XML_Char *name, const XML_Char **attributes) {
    struct mzml *m = user;
    if (!m->root && strcmp(name, "mzML") != 0 && strcmp(name, "indexedmzML") != 0)
        stop(m, "this XML is not mzML");
    m->root = true;
    if (!strcmp(name, "cvParam"))
        on_param(m, attributes);
    else if (!strcmp(name, "referenceableParamGroup"))
        open_group(m, find(attributes, "id"));
    else if (!strcmp(name, "referenceableParamGroupRef"))
        use_group(m, find(attributes, "ref"));
    else if (!strcmp(name, "spectrum"))
        open_spectrum(m, attributes);
    else if (!m->in_spectrum)
        return;
    else if (!strcmp(name, "selectedIon"))
        m->in_ion = m->ions++ == 0;
    else if (!strcmp(name, "binaryDataArray")) {
        m->in_array = true;
        m->array = (struct array){.width = 8, .count = array_length(m, find(attributes, "arrayLength"), m->now.count)};
    } else if (!strcmp(name, "binary")) {
        m->in_binary = m->in_array;
        m->array.text = m->used;
    }
}

static void XMLCALL on_text(void *user, const XML_Char *text, int length) {
    struct mzml *m = user;
    if (!m->in_binary)
        return;
    if (m->used + (size_t)length > SPECTRUM_BYTES) {
        stop(m, "the arrays of a spectrum take more than 512 MB");
        return;
    }
    while (m->used + (size_t)length > m->room)
        m->text = app_resize(m->text, m->room = m->room ? 2 * m->room : 1 << 20, 1);
    memcpy(m->text + m->used, text, (size_t)length);
    m->used += (size_t)length;
}

static bool decode(const struct mzml *m, const struct array *a, const char *what, double *out, struct note *note) {
    if (a->kind == ARRAY_OTHER)
        return note_fail(note, "no array of %s", what);
    if (a->coded)
        return note_fail(note, "the %s are compressed by MS-Numpress; convert the file without it", what);
    struct note why = {""};
    return binary_decode(m->text + a->text, a->length, a->packed, a->whole, a->width, a->count, out, &why) ||
           note_fail(note, "%s: %s", what, why.text);
}

/* Before room is made for them. */
static bool can_hold(const struct array *a, long n, const char *what, struct note *note) {
    if ((a->length / 4 * 3 + 3) * (a->packed ? 1040 : 1) < (size_t)n)
        return note_fail(note, "%zu bytes of base64 cannot hold the %ld numbers that are announced", a->length, n);
    return !a->packed || n <= ARRAY_CHEAP || (size_t)n / NUMBERS_PER_BYTE <= a->length ||
           note_fail(
               note,
               "%ld %s in %zu bytes: more than %d are read only where %d take a byte; convert the file without zlib", n,
               what, a->length, ARRAY_CHEAP, NUMBERS_PER_BYTE);
}

static bool make_peaks(const struct mzml *m, const struct item *item, struct raw *raw, struct note *note) {
    const long n = item->mz.kind == ARRAY_MZ ? item->mz.count : 0;
    if (item->count == 0 && item->mz.kind == ARRAY_OTHER)
        return true;
    if (item->intensity.kind == ARRAY_INTENSITY && item->intensity.count != n)
        return note_fail(note, "%ld m/z values but %ld intensities", n, item->intensity.count);
    if (!can_hold(&item->mz, n, "m/z values", note) ||
        (item->intensity.kind && !can_hold(&item->intensity, n, "intensities", note)))
        return false;
    raw_reserve(raw, (int)n);
    raw->count = (int)n;
    if (!decode(m, &item->mz, "m/z values", raw->mz, note) ||
        !decode(m, &item->intensity, "intensities", raw->intensity, note))
        return false;
    for (int k = 0; k < raw->count; k++)
        if (!raw_check(raw, k, "bad numbers", note))
            return false;
    return true;
}

static bool make_raw(const void *context, long k, struct raw *raw, struct note *note) {
    const struct mzml *m = context;
    const struct item *item = &m->items[k];
    struct note why = {""};
    raw->about = item->about;
    raw->profile = item->profile;
    raw->survey = item->level == 1 || !item->precursor;
    if (raw->survey)
        return true;
    if (!(raw->about.mz > 0 && raw->about.mz <= MZ_MOST))
        note_fail(&why, "the precursor's m/z is %g", raw->about.mz);
    return (!why.text[0] && make_peaks(m, item, raw, &why)) ||
           note_fail(note, "%s:%ld: scan %ld: %s", m->name, item->line, item->about.scan, why.text);
}

static void flush(struct mzml *m) {
    if (m->count && !m->note.text[0] && !spectra_take(m->spectra, m->count, make_raw, m, &m->note))
        XML_StopParser(m->parser, XML_FALSE);
    m->count = 0;
    m->used = 0;
}

static void close_spectrum(struct mzml *m) {
    m->in_spectrum = false;
    m->items[m->count++] = m->now;
    if (m->count == BATCH_ITEMS || m->used > BATCH_BYTES)
        flush(m);
}

static void close_array(struct mzml *m) {
    m->in_array = m->in_binary = false;
    if (m->array.kind == ARRAY_MZ)
        m->now.mz = m->array;
    else if (m->array.kind == ARRAY_INTENSITY)
        m->now.intensity = m->array;
}

static void XMLCALL on_end(void *user, const XML_Char *name) {
    struct mzml *m = user;
    if (!strcmp(name, "referenceableParamGroup")) {
        m->group = NULL;
    } else if (!m->in_spectrum) {
        return;
    } else if (!strcmp(name, "spectrum")) {
        close_spectrum(m);
    } else if (!strcmp(name, "selectedIon")) {
        m->in_ion = false;
    } else if (!strcmp(name, "binary")) {
        m->array.length = m->used - m->array.text;
        m->in_binary = false;
    } else if (!strcmp(name, "binaryDataArray")) {
        close_array(m);
    }
}

struct mzml *mzml_open(struct spectra *s, const char *name) {
    struct mzml *m = app_alloc(1, sizeof *m);
    m->spectra = s;
    m->name = name;
    m->items = app_alloc(BATCH_ITEMS, sizeof *m->items);
    m->parser = XML_ParserCreate(NULL);
    XML_SetUserData(m->parser, m);
    XML_SetElementHandler(m->parser, on_start, on_end);
    XML_SetCharacterDataHandler(m->parser, on_text);
    return m;
}

/* expat keeps a tag until its end is there; while it waits for more before it looks again, it names no place (-1). */
static bool tag_too_long(struct mzml *m, size_t part) {
    m->fed += part;
    const long at = XML_GetCurrentByteIndex(m->parser);
    if (at >= 0)
        m->seen = (size_t)at;
    return m->fed > m->seen && m->fed - m->seen > TAG_BYTES + part;
}

bool mzml_feed(struct mzml *m, const char *text, size_t length, bool last, struct note *note) {
    while (!m->note.text[0]) {
        const int part = length > (1 << 24) ? 1 << 24 : (int)length;
        const bool final = last && (size_t)part == length;
        if (XML_Parse(m->parser, text, part, final) != XML_STATUS_OK) {
            note_fail(&m->note, "%s:%lu: XML: %s%s", m->name, (unsigned long)XML_GetCurrentLineNumber(m->parser),
                      XML_ErrorString(XML_GetErrorCode(m->parser)), final && !length ? "; the file ends early" : "");
            break;
        }
        if (tag_too_long(m, (size_t)part))
            note_fail(&m->note, "%s:%lu: a tag of more than 16 MB", m->name,
                      (unsigned long)XML_GetCurrentLineNumber(m->parser));
        text += part;
        length -= (size_t)part;
        if (!length)
            break;
    }
    if (last)
        flush(m);
    if (last && !m->index)
        note_fail(&m->note, "%s: no spectrum in this file", m->name);
    return !m->note.text[0] || note_fail(note, "%s", m->note.text);
}

void mzml_close(struct mzml *m) {
    for (long k = 0; k < m->group_count; k++) {
        free(m->groups[k].id);
        free(m->groups[k].text);
    }
    free(m->groups);
    XML_ParserFree(m->parser);
    free(m->items);
    free(m->text);
    free(m);
}
