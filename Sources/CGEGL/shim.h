// What Swift cannot import from GEGL and GLib: macros that cast, types given as macros, and
// variadic functions. Every helper is a thin `static inline`; nothing here knows an operation.
#pragma once

#include <pthread.h>
#include <sys/resource.h>

#include <gegl.h>
#include <gegl-plugin.h>
#include <operation/gegl-operation-handlers.h>

// MARK: types

static inline GType cgegl_type_double(void) { return G_TYPE_DOUBLE; }
static inline GType cgegl_type_float(void) { return G_TYPE_FLOAT; }
static inline GType cgegl_type_int(void) { return G_TYPE_INT; }
static inline GType cgegl_type_uint(void) { return G_TYPE_UINT; }
static inline GType cgegl_type_int64(void) { return G_TYPE_INT64; }
static inline GType cgegl_type_boolean(void) { return G_TYPE_BOOLEAN; }
static inline GType cgegl_type_string(void) { return G_TYPE_STRING; }
static inline GType cgegl_type_enum(void) { return G_TYPE_ENUM; }
static inline GType cgegl_type_buffer(void) { return GEGL_TYPE_BUFFER; }
static inline GType cgegl_type_color(void) { return GEGL_TYPE_COLOR; }
static inline GType cgegl_type_curve(void) { return GEGL_TYPE_CURVE; }
static inline GType cgegl_type_pointer(void) { return G_TYPE_POINTER; }
static inline GType cgegl_type_path(void) { return GEGL_TYPE_PATH; }

/// The type of the values that a parameter takes.
static inline GType cgegl_param_value_type(GParamSpec *spec) { return G_PARAM_SPEC_VALUE_TYPE(spec); }
/// The parameter itself as the type asks (`NULL` where it is of another kind).
static inline GeglParamSpecDouble *cgegl_param_double(GParamSpec *spec) {
  return GEGL_IS_PARAM_SPEC_DOUBLE(spec) ? GEGL_PARAM_SPEC_DOUBLE(spec) : NULL;
}
static inline GeglParamSpecInt *cgegl_param_int(GParamSpec *spec) {
  return GEGL_IS_PARAM_SPEC_INT(spec) ? GEGL_PARAM_SPEC_INT(spec) : NULL;
}
static inline GParamSpecDouble *cgegl_param_g_double(GParamSpec *spec) {
  return G_IS_PARAM_SPEC_DOUBLE(spec) ? G_PARAM_SPEC_DOUBLE(spec) : NULL;
}
static inline GParamSpecInt *cgegl_param_g_int(GParamSpec *spec) {
  return G_IS_PARAM_SPEC_INT(spec) ? G_PARAM_SPEC_INT(spec) : NULL;
}
static inline GParamSpecUInt *cgegl_param_g_uint(GParamSpec *spec) {
  return G_IS_PARAM_SPEC_UINT(spec) ? G_PARAM_SPEC_UINT(spec) : NULL;
}
static inline GEnumClass *cgegl_param_enum_class(GParamSpec *spec) {
  return G_IS_PARAM_SPEC_ENUM(spec) ? G_PARAM_SPEC_ENUM(spec)->enum_class : NULL;
}
static inline gboolean cgegl_param_is_format(GParamSpec *spec) { return GEGL_IS_PARAM_SPEC_FORMAT(spec); }
static inline gboolean cgegl_param_is_path(GParamSpec *spec) { return GEGL_IS_PARAM_SPEC_FILE_PATH(spec); }
static inline GType cgegl_type_of_class(gconstpointer klass) { return G_TYPE_FROM_CLASS(klass); }
static inline GType cgegl_type_of_instance(gconstpointer instance) { return G_TYPE_FROM_INSTANCE(instance); }

/// The flags of a property that hosts set. Not G_PARAM_EXPLICIT_NOTIFY: GIMP makes its own properties with
/// the flags of ours, never notifies explicitly, and would never tell us of a change.
static inline GParamFlags cgegl_param_flags_settable(void) {
  return (GParamFlags)(G_PARAM_READWRITE | G_PARAM_CONSTRUCT | (int)GEGL_PARAM_PAD_INPUT);
}

// MARK: casts that the compiler of C hides in macros

static inline GeglOperationClass *cgegl_operation_class(gpointer klass) { return GEGL_OPERATION_CLASS(klass); }
static inline GObjectClass *cgegl_object_class(gpointer klass) { return G_OBJECT_CLASS(klass); }
static inline gboolean cgegl_operation_is_meta(GeglOperation *operation) { return GEGL_IS_OPERATION_META(operation); }
static inline GeglNode *cgegl_operation_node(GeglOperation *operation) { return operation->node; }

/// The region that is computed for any part of a result: all of it, where it has bounds.
static inline GeglRectangle cgegl_whole_region(GeglOperation *operation, const GeglRectangle *part) {
  GeglRectangle box = gegl_operation_get_bounding_box(operation);
  gboolean is_bounded = box.width < (1 << 20) && box.height < (1 << 20);
  return is_bounded && gegl_rectangle_contains(&box, part) ? box : *part;
}

/// Makes every node with an operation's class compute its whole result at once, on one thread, and keep it.
static inline void cgegl_compute_whole(GeglOperation *operation) {
  // Kept for ever: a class without instances could be made anew.
  GeglOperationClass *klass = (GeglOperationClass *)g_type_class_ref(G_TYPE_FROM_INSTANCE(operation));
  klass->get_cached_region = cgegl_whole_region;
  klass->threaded = FALSE;
  klass->cache_policy = GEGL_CACHE_POLICY_ALWAYS;
}

/// Gives an operation a pad for pictures; to be called while it is attached.
static inline void cgegl_create_pad(GeglOperation *operation, const char *name, gboolean is_input) {
  GParamFlags direction = is_input ? (GParamFlags)(G_PARAM_READWRITE | (int)GEGL_PARAM_PAD_INPUT)
                                   : (GParamFlags)(G_PARAM_READABLE | (int)GEGL_PARAM_PAD_OUTPUT);
  GParamSpec *pad = g_param_spec_object(name, name, NULL, GEGL_TYPE_BUFFER, direction);
  gegl_operation_create_pad(operation, pad);
  g_param_spec_sink(pad);
}

// MARK: configuration, which is only reachable through variadic functions

static inline void cgegl_config_set_int(const char *name, gint value) { g_object_set(gegl_config(), name, value, NULL); }
static inline void cgegl_config_set_uint64(const char *name, guint64 value) {
  g_object_set(gegl_config(), name, value, NULL);
}
static inline void cgegl_config_set_string(const char *name, const char *value) {
  g_object_set(gegl_config(), name, value, NULL);
}
/// The folder of the swap, to be freed with g_free; NULL where there is none.
static inline char *cgegl_config_swap(void) {
  char *path = NULL;
  g_object_get(gegl_config(), "swap", &path, NULL);
  return path;
}
static inline gint cgegl_config_threads(void) {
  gint threads = 1;
  g_object_get(gegl_config(), "threads", &threads, NULL);
  return threads;
}

// MARK: properties of a node itself, which its operation's properties hide

static inline gboolean cgegl_node_dont_cache(GeglNode *node) {
  gboolean value = FALSE;
  g_object_get(node, "dont-cache", &value, NULL);
  return value;
}
static inline void cgegl_node_set_dont_cache(GeglNode *node, gboolean value) {
  g_object_set(node, "dont-cache", value, NULL);
}

// MARK: babl

/// The whole-pixel iterators read a format's channels; Swift needs only these two numbers.
static inline int cgegl_format_bytes(const Babl *format) { return babl_format_get_bytes_per_pixel(format); }
static inline int cgegl_format_components(const Babl *format) { return babl_format_get_n_components(format); }

/// Linear light of every number that a channel can have: red's, then green's, then blue's; `size` of each, 256 or 65536.
struct cgegl_decoding {
  guint size;
  float *light;
};

static inline void cgegl_decode(const void *source, gboolean is_wide, int channels, float *target, long count,
                                const struct cgegl_decoding *decoding) {
  const guint16 *wide = (const guint16 *)source;
  const guint8 *narrow = (const guint8 *)source;
  const float *red = decoding->light, *green = red + decoding->size, *blue = green + decoding->size;
  for (long pixel = 0; pixel < count; pixel++, target += 4) {
    long first = pixel * channels;
    target[0] = red[is_wide ? wide[first] : narrow[first]];
    target[1] = green[is_wide ? wide[first + 1] : narrow[first + 1]];
    target[2] = blue[is_wide ? wide[first + 2] : narrow[first + 2]];
    target[3] = channels < 4 ? 1.0f : is_wide ? wide[first + 3] / 65535.0f : narrow[first + 3] / 255.0f;
  }
}

static inline void cgegl_decode_rgb8(const Babl *conversion, const char *source, char *target, long count, void *data) {
  (void)conversion;
  cgegl_decode(source, FALSE, 3, (float *)target, count, (const struct cgegl_decoding *)data);
}
static inline void cgegl_decode_rgba8(const Babl *conversion, const char *source, char *target, long count, void *data) {
  (void)conversion;
  cgegl_decode(source, FALSE, 4, (float *)target, count, (const struct cgegl_decoding *)data);
}
static inline void cgegl_decode_rgb16(const Babl *conversion, const char *source, char *target, long count, void *data) {
  (void)conversion;
  cgegl_decode(source, TRUE, 3, (float *)target, count, (const struct cgegl_decoding *)data);
}
static inline void cgegl_decode_rgba16(const Babl *conversion, const char *source, char *target, long count,
                                       void *data) {
  (void)conversion;
  cgegl_decode(source, TRUE, 4, (float *)target, count, (const struct cgegl_decoding *)data);
}

/// A format of 8 or 16 bits under a name of our own, so that babl knows no way from it to others but ours.
static inline const Babl *cgegl_format_new(const char *name, gboolean is_wide, gboolean has_alpha) {
  const Babl *type = babl_type(is_wide ? "u16" : "u8");
  const Babl *red = babl_component("R'"), *green = babl_component("G'"), *blue = babl_component("B'");
  return has_alpha ? babl_format_new("name", name, babl_model("R'G'B'A"), type, red, green, blue, babl_component("A"), NULL)
                   : babl_format_new("name", name, babl_model("R'G'B'"), type, red, green, blue, NULL);
}

/// Teaches babl the way from such a format to "RGBA float" of the same space. Everything is kept for ever.
static inline void cgegl_format_set_decoding(const Babl *source, const Babl *target, gboolean is_wide,
                                             gboolean has_alpha, struct cgegl_decoding *decoding) {
  BablFuncLinear decode = is_wide ? has_alpha ? cgegl_decode_rgba16 : cgegl_decode_rgb16
                                  : has_alpha ? cgegl_decode_rgba8 : cgegl_decode_rgb8;
  babl_conversion_new(source, target, "linear", decode, "data", decoding, NULL);
}

static inline gboolean cgegl_rectangle_is_infinite(const GeglRectangle *rectangle) {
  return gegl_rectangle_is_infinite_plane(rectangle);
}

// MARK: stacks

// Declared by GNU's header only on demand.
extern int pthread_setattr_default_np(const pthread_attr_t *attributes);

/// Lets the stack of the first thread grow to `size` bytes, and gives new threads as much.
static inline void cgegl_widen_stacks(size_t size) {
  struct rlimit limit;
  if (getrlimit(RLIMIT_STACK, &limit) == 0 && limit.rlim_cur < size) {
    limit.rlim_cur = limit.rlim_max < size ? limit.rlim_max : size;
    setrlimit(RLIMIT_STACK, &limit);
  }
  pthread_attr_t attributes;
  if (pthread_attr_init(&attributes) != 0) return;
  if (pthread_attr_setstacksize(&attributes, size) == 0) pthread_setattr_default_np(&attributes);
  pthread_attr_destroy(&attributes);
}

// MARK: messages, which are variadic

static inline void cgegl_warning(const char *text) { g_log("constant-color", G_LOG_LEVEL_WARNING, "%s", text); }

// MARK: class structs that Swift cannot reach by a cast

static inline GeglOperationPointFilterClass *cgegl_point_filter_class(gpointer klass) {
  return GEGL_OPERATION_POINT_FILTER_CLASS(klass);
}
static inline GeglOperationPointComposerClass *cgegl_point_composer_class(gpointer klass) {
  return GEGL_OPERATION_POINT_COMPOSER_CLASS(klass);
}
static inline GeglOperationPointComposer3Class *cgegl_point_composer3_class(gpointer klass) {
  return GEGL_OPERATION_POINT_COMPOSER3_CLASS(klass);
}
static inline GeglOperationComposerClass *cgegl_composer_class(gpointer klass) {
  return GEGL_OPERATION_COMPOSER_CLASS(klass);
}
static inline GeglOperationComposer3Class *cgegl_composer3_class(gpointer klass) {
  return GEGL_OPERATION_COMPOSER3_CLASS(klass);
}
static inline GeglOperationMetaClass *cgegl_meta_class(gpointer klass) { return GEGL_OPERATION_META_CLASS(klass); }

/// The whole result of a node in the format it has by itself, as a buffer that the caller owns; `NULL` on failure.
static inline GeglBuffer *cgegl_node_to_buffer(GeglNode *parent, GeglNode *node) {
  GeglBuffer *buffer = NULL;
  GeglNode *sink = gegl_node_new_child(parent, "operation", "gegl:buffer-sink", "buffer", &buffer, NULL);
  gegl_node_connect_to(node, "output", sink, "input");
  gegl_node_process(sink);
  gegl_node_remove_child(parent, sink);
  return buffer;
}
