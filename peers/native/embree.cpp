// Embree behind four plain functions: a scene of one triangle mesh, asked ray by ray or in a stream.
//
// `RTC_BUILD_QUALITY_HIGH` and the flag `ROBUST`: the best tree, and no ray that slips between two triangles. One thread. Streams are
// arrays of single rays in one `rtcIntersect1M`, without the flag for coherent rays: the casts come in random order.

#include <embree3/rtcore.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace {

struct Level {
    RTCDevice device;
    RTCScene scene;
    std::vector<RTCRayHit> rays;
};

// The length of the way is that of the direction, so that what is found is a fraction. Each way is six floats: from, translation.
RTCRayHit ray_along(const float* way) {
    RTCRayHit ray{};
    ray.ray.org_x = way[0], ray.ray.org_y = way[1], ray.ray.org_z = way[2];
    ray.ray.dir_x = way[3], ray.ray.dir_y = way[4], ray.ray.dir_z = way[5];
    ray.ray.tnear = 0;
    ray.ray.tfar = 1;
    ray.ray.mask = ~0u;
    ray.hit.geomID = RTC_INVALID_GEOMETRY_ID;
    return ray;
}

double fraction_of(const RTCRayHit& ray) {
    return ray.hit.geomID == RTC_INVALID_GEOMETRY_ID ? HUGE_VAL : double(ray.ray.tfar);
}

}  // namespace

extern "C" {

// Null if Embree has no device, or refuses the mesh.
void* peers_embree_level(const float* vertices, size_t vertex_count, const uint32_t* triangles, size_t triangle_count) {
    RTCDevice device = rtcNewDevice("threads=1,set_affinity=0");
    if (!device) return nullptr;
    RTCScene scene = rtcNewScene(device);
    rtcSetSceneBuildQuality(scene, RTC_BUILD_QUALITY_HIGH);
    rtcSetSceneFlags(scene, RTC_SCENE_FLAG_ROBUST);
    RTCGeometry geometry = rtcNewGeometry(device, RTC_GEOMETRY_TYPE_TRIANGLE);
    rtcSetGeometryBuildQuality(geometry, RTC_BUILD_QUALITY_HIGH);
    auto* places = static_cast<float*>(rtcSetNewGeometryBuffer(
        geometry, RTC_BUFFER_TYPE_VERTEX, 0, RTC_FORMAT_FLOAT3, 3 * sizeof(float), vertex_count));
    auto* corners = static_cast<uint32_t*>(rtcSetNewGeometryBuffer(
        geometry, RTC_BUFFER_TYPE_INDEX, 0, RTC_FORMAT_UINT3, 3 * sizeof(uint32_t), triangle_count));
    for (size_t i = 0; i < 3 * vertex_count; ++i) places[i] = vertices[i];
    for (size_t i = 0; i < 3 * triangle_count; ++i) corners[i] = triangles[i];
    rtcCommitGeometry(geometry);
    rtcAttachGeometry(scene, geometry);
    rtcReleaseGeometry(geometry);
    rtcCommitScene(scene);
    if (rtcGetDeviceError(device) != RTC_ERROR_NONE) {
        rtcReleaseScene(scene);
        rtcReleaseDevice(device);
        return nullptr;
    }
    return new Level{device, scene, {}};
}

void peers_embree_free(void* level) {
    auto* freed = static_cast<Level*>(level);
    rtcReleaseScene(freed->scene);
    rtcReleaseDevice(freed->device);
    delete freed;
}

// A fraction for each way.
void peers_embree_rays(void* level, const float* ways, size_t count, double* fractions) {
    auto* asked = static_cast<Level*>(level);
    RTCIntersectContext context;
    rtcInitIntersectContext(&context);
    for (size_t i = 0; i < count; ++i) {
        RTCRayHit ray = ray_along(ways + 6 * i);
        rtcIntersect1(asked->scene, &context, &ray);
        fractions[i] = fraction_of(ray);
    }
}

void peers_embree_stream(void* level, const float* ways, size_t count, double* fractions) {
    auto* asked = static_cast<Level*>(level);
    RTCIntersectContext context;
    rtcInitIntersectContext(&context);
    asked->rays.resize(count);
    for (size_t i = 0; i < count; ++i) asked->rays[i] = ray_along(ways + 6 * i);
    rtcIntersect1M(asked->scene, &context, asked->rays.data(), count, sizeof(RTCRayHit));
    for (size_t i = 0; i < count; ++i) fractions[i] = fraction_of(asked->rays[i]);
}

}  // extern "C"
