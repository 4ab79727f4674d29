#include "opencl/execute.hpp"

#include "core/dispatch.hpp"
#include "core/recorder.hpp"
#include "core/staging.hpp"
#include "opencl/backend.hpp"
#include "opencl/host_lanes.hpp"

#include <limits>
#include <new>
#include <vector>

namespace trigon::opencl {
namespace {

using core::Operand;
using core::Path;
using core::Plan;
using core::Request;
using core::Status;

bool in_place(Operation op) { return op >= Operation::Trmm; }
bool rank_k(Operation op) { return op >= Operation::Syrk && op <= Operation::Her2k; }
bool is_double(Precision p) { return p == Precision::Double || p == Precision::ComplexDouble; }

const Device& device_of(const Request& r) {
  return r.memory == core::Memory::Device ? static_cast<Lane*>(r.queue)->device() : *host_device();
}

/// The whole operation without A: alpha = 0, or an inner dimension of 0.
template <class T>
void scale(const Request& r, Backend<T>& backend) {
  if (in_place(r.operation)) return backend.scale(T(0), view_of(r.b), ALL);
  const T beta = core::scalar<T>(r.beta);
  if (!rank_k(r.operation)) return backend.scale(beta, view_of(r.c), ALL);
  const bool hermitian = core::mirror_of(r.operation) == Mirror::Hermitian;
  backend.scale(beta, view_of(r.c),
                hermitian ? Backend<T>::template mask<Mirror::Hermitian>(r.uplo)
                          : Backend<T>::template mask<Mirror::Symmetric>(r.uplo));
}

void run(const Request& r, const Plan& p, Commands& commands, std::vector<Task>* tasks) {
  if (p.path == Path::Nothing) return;
  with_type(r.precision, [&]<class T>(T) {
    Backend<T> backend(commands, p.leaf, r.solve, most_workspace(commands.device()));
    if (p.path == Path::Scale) return scale(r, backend);
    if (!tasks) return core::dispatch<T>(r, backend, view_of);
    core::Recorder<T, Backend<T>> recorder(backend, *tasks, core::gemms_per_split(r.operation));
    core::dispatch<T>(r, recorder, view_of);
  });
}

/// The extent of an operand in elements, first to last, relative to its handle; offsets are anything.
using Wide = __int128;
std::pair<Wide, Wide> extent(const Operand& o) {
  const Wide down = Wide{o.rows - 1} * o.row_stride, across = Wide{o.cols - 1} * o.col_stride;
  return {o.offset + std::min<Wide>(down, 0) + std::min<Wide>(across, 0),
          o.offset + std::max<Wide>(down, 0) + std::max<Wide>(across, 0)};
}

std::string text(Wide n) {
  constexpr Wide most = std::numeric_limits<index>::max();
  return n > most ? "beyond 2^63" : n < -most ? "before -2^63" : std::to_string(static_cast<index>(n));
}

/// Says what is wrong with a handle; "" if it is a buffer of the queue's context, of `bytes` then.
std::string no_buffer(const char* name, const void* handle, const Lane& lane, std::size_t& bytes) {
  const auto memory = static_cast<cl_mem>(const_cast<void*>(handle));
  cl_context context = nullptr;
  cl_mem_object_type type = 0;
  if (!memory || clGetMemObjectInfo(memory, CL_MEM_TYPE, sizeof type, &type, nullptr) != CL_SUCCESS ||
      type != CL_MEM_OBJECT_BUFFER ||
      clGetMemObjectInfo(memory, CL_MEM_SIZE, sizeof bytes, &bytes, nullptr) != CL_SUCCESS ||
      clGetMemObjectInfo(memory, CL_MEM_CONTEXT, sizeof context, &context, nullptr) != CL_SUCCESS)
    return std::string(name) + " is no buffer";
  if (context != lane.context()) return std::string(name) + " is a buffer of another context than the queue's";
  return {};
}

/// Says what is wrong with a device operand; "" if it fits into its buffer.
std::string misfit(const char* name, const Operand& o, std::size_t element, const Lane& lane) {
  if (o.rows == 0 || o.cols == 0) return {};
  std::size_t bytes = 0;
  if (std::string wrong = no_buffer(name, o.handle, lane, bytes); !wrong.empty()) return wrong;
  const auto [first, last] = extent(o);
  const index holds = static_cast<index>(bytes / element);
  if (first >= 0 && last < holds) return {};
  return std::string(name) + " takes elements " + text(first) + " to " + text(last) + " of a buffer of " +
         std::to_string(holds);
}

/// The same of the caller's workspace.
std::string misfit(const Request& r, const Lane& lane) {
  if (!r.workspace) return {};
  std::size_t bytes = 0;
  if (std::string wrong = no_buffer("the workspace", r.workspace, lane, bytes); !wrong.empty()) return wrong;
  if (r.workspace_bytes <= bytes) return {};
  return "the workspace is a buffer of " + std::to_string(bytes) + " bytes, not of " +
         std::to_string(r.workspace_bytes);
}

std::size_t element_size(Precision p) {
  return with_type(p, [](auto zero) { return sizeof zero; });
}

Status refuse(const Request& r, Status status, const std::string& words) {
  r.message(words.c_str());
  return status;
}

/// Why the device cannot do the precision, or "".
std::string lacking(const Request& r, const Device& d) {
  if (is_double(r.precision) && !d.has_double) return d.name + " has no double precision";
  const std::string& wrong = d.settings_of(r.precision).wrong;
  return wrong.empty() ? "" : "the tuning table (" + host()->tuning.source + ") does not suit " + d.name + ": " + wrong;
}

Status on_device(const Request& r, const Plan& p, std::vector<Task>* tasks) {
  auto& lane = *static_cast<Lane*>(r.queue);
  const core::Parts parts = core::parts(r, p);
  const std::size_t element = element_size(r.precision);
  const bool vector = r.operation == Operation::Trmv || r.operation == Operation::Trsv;
  for (const auto& [name, operand, used] :
       {std::tuple{"A", &r.a, parts.a.kind != core::Part::None},
        {vector ? "x" : "B", &r.b, parts.b.kind != core::Part::None || (parts.writes_b && p.path == Path::Scale)},
        {"C", &r.c, parts.c.kind != core::Part::None || (!parts.writes_b && p.path != Path::Nothing)}})
    if (used)
      if (const std::string wrong = misfit(name, *operand, element, lane); !wrong.empty())
        return refuse(r, Status::InvalidArgument, wrong);
  if (const std::string wrong = misfit(r, lane); !wrong.empty()) return refuse(r, Status::InvalidArgument, wrong);
  Commands commands(lane, r);
  if (commands.prepare([&] { run(r, p, commands, nullptr); })) run(r, p, commands, tasks);
  commands.finish_with(r.event);
  return commands.status();
}

/// One operand of the host and its dense copy on the device, mapped while it is filled and read.
template <class T>
class Staged {
 public:
  /// `used`: it is read or written. What is not gets no copy.
  Staged(Commands& commands, int purpose, const Operand& host, bool used) : commands_(commands), host_(host) {
    dense_ = core::dense(host);
    bytes_ = static_cast<std::size_t>(host.rows * host.cols) * sizeof(T);
    if (bytes_ == 0 || !used || commands.failed()) return;
    cl_int error = CL_SUCCESS;
    memory_ = commands.lane().buffer(purpose, bytes_, error);
    commands.check(error, "a copy of an operand");
  }

  Operand on_device() const {
    Operand o = dense_;
    o.handle = memory_;
    return o;
  }
  void send(core::Part part) {
    commands_.check(through(CL_MAP_WRITE_INVALIDATE_REGION, part,
                            [&](const Operand& copy) { core::copy_part<T>(host_, copy, part); }),
                    "a copy of an operand");
  }
  /// The result is there once it has been copied, whatever comes after. False if the queue has failed since.
  bool fetch(core::Part part) {
    return through(CL_MAP_READ, part, [&](const Operand& copy) { core::copy_part<T>(copy, host_, part); }) ==
           CL_SUCCESS;
  }

 private:
  /// What is left to check: the status of the unmapping, or success.
  template <class Copy>
  cl_int through(cl_map_flags flags, core::Part part, Copy&& copy) {
    if (part.kind == core::Part::None || !memory_ || commands_.failed()) return CL_SUCCESS;
    const cl_command_queue queue = commands_.lane().queue();
    cl_int error = CL_SUCCESS;
    cl_event mapped = nullptr;
    void* const place = clEnqueueMapBuffer(queue, memory_, CL_TRUE, flags, 0, bytes_, 0, nullptr, &mapped, &error);
    if (!commands_.check(outcome(error, mapped), "a copy of an operand")) return CL_SUCCESS;
    Operand o = dense_;
    o.handle = place;
    copy(o);
    // Where memory is not the host's, it is this that transfers.
    return clEnqueueUnmapMemObject(queue, memory_, place, 0, nullptr, &commands_.lane().watched());
  }

  Commands& commands_;
  Operand host_, dense_;
  std::size_t bytes_ = 0;
  cl_mem memory_ = nullptr;
};

/// A status, and the driver's error behind it.
struct Ended {
  Status status;
  cl_int error = CL_SUCCESS;
};

/// Whether it is a kernel's: one that does not compile, or, without an error of the driver's, takes too much of the
/// device.
bool of_a_kernel(cl_int error) {
  return error == CL_SUCCESS || error == CL_BUILD_PROGRAM_FAILURE || error == CL_COMPILER_NOT_AVAILABLE;
}

/// Host operands are copied to the device and the result back, when all has succeeded.
Ended staged_once(const Request& r, const Plan& p, std::vector<Task>* tasks) {
  const Device& device = *host_device();
  if (const std::string why = lacking(r, device); !why.empty()) return {refuse(r, Status::Unavailable, why)};
  Failure failure;
  std::unique_ptr<Lane> lane = host_lanes().borrow(device, failure);
  if (!lane) return {refuse(r, failed_with(failure.error), failure.words), failure.error};
  const core::Parts parts = core::parts(r, p);
  bool submitted = false, sound = true;
  const auto [status, error] = with_type(r.precision, [&]<class T>(T) -> Ended {
    Commands commands(*lane, r);
    if (!commands.prepare([&] { run(r, p, commands, nullptr); })) return {commands.status(), commands.error()};
    const auto used = [](core::Part part) { return part.kind != core::Part::None; };
    Staged<T> a(commands, Lane::staged_a, r.a, used(parts.a));
    Staged<T> b(commands, Lane::staged_b, r.b, used(parts.b) || parts.writes_b);
    Staged<T> c(commands, Lane::staged_c, r.c, used(parts.c) || !parts.writes_b);
    if (commands.failed()) return {commands.status(), commands.error()};
    submitted = true;
    a.send(parts.a), b.send(parts.b), c.send(parts.c);
    Request mine = r;
    mine.a = a.on_device(), mine.b = b.on_device(), mine.c = c.on_device();
    run(mine, p, commands, tasks);
    commands.wait();
    sound = (parts.writes_b ? b : c).fetch(parts.written) && clFinish(lane->queue()) == CL_SUCCESS && lane->sound();
    return {commands.status(), commands.error()};
  });
  // A queue that has failed is not used again, nor its context. What has nothing to do with them costs neither.
  const bool untouched = !submitted && (status != Status::DeviceError || of_a_kernel(error));
  if (untouched || (status == Status::Success && sound))
    host_lanes().give_back(std::move(lane));
  else if (status == Status::DeviceError || !sound)
    host_lanes().abandon();
  return {status, error};
}

Status staged(const Request& r, const Plan& p, std::vector<Task>* tasks) {
  if (p.path == Path::Nothing) return Status::Success;
  // An operand beyond the largest buffer would be so again.
  const auto wants_room = [](const Ended& e) {
    return e.status == Status::OutOfMemory && e.error != CL_INVALID_BUFFER_SIZE;
  };
  if (const Ended first = staged_once(r, p, tasks); !wants_room(first)) return first.status;
  // What earlier calls have left, this queue's included, is gone now.
  host_lanes().let_go();
  if (tasks) tasks->clear();
  const Ended second = staged_once(r, p, tasks);
  // Drivers also say so of a device that has failed: a context that is lost would fail all calls to come.
  if (wants_room(second)) host_lanes().abandon();
  return second.status;
}

Status carry_out(const Request& r, const Plan& p, std::vector<Task>* tasks) {
  try {
    if (r.memory == core::Memory::Host) return staged(r, p, tasks);
    if (const std::string why = lacking(r, device_of(r)); !why.empty()) return refuse(r, Status::Unavailable, why);
    return on_device(r, p, tasks);
  } catch (const std::bad_alloc&) {
    return refuse(r, Status::OutOfMemory, "out of memory");
  }
}

}  // namespace

const Device* host_device() {
  static const Device* const chosen = find_device(host()->environment.device_of("opencl"));
  return chosen;
}

Plan plan(const Request& r) {
  Plan p = core::plan(r, core::Machine{}, host()->tuning);
  p.threads = 1, p.provider = false, p.leaf = 0;
  if (p.path == Path::Nothing || p.path == Path::Scale) return p;
  if (in_place(r.operation) && r.b.cols == 1) {
    p.path = Path::Narrow, p.leaf = r.a.rows;
    return p;
  }
  const Device& d = device_of(r);
  const index order = in_place(r.operation) || !rank_k(r.operation) ? r.a.rows : r.c.rows;
  const bool few = in_place(r.operation) && r.b.cols <= few_columns(d, r.precision);
  const Settings& s = d.settings_of(r.precision);
  p.leaf = few ? s.leaf_few : s.leaf;
  // Tiles of a product need no order to be small.
  const bool whole = r.operation == Operation::Gemm || (s.kernels == Kernels::Tiles && !in_place(r.operation));
  if (whole) p.leaf = std::max(p.leaf, order);
  p.path = whole || order <= p.leaf ? Path::Packed : Path::Recursion;
  return p;
}

std::size_t workspace_size(const Request& r, const Plan& p) {
  if (p.path == Path::Nothing || p.path == Path::Scale) return 0;
  const Device& d = device_of(r);
  return with_type(r.precision, [&]<class T>(T) { return Bounds<T>(d, r.solve, most_workspace(d)).bytes(r); });
}

Status execute(const Request& r, const Plan& p) { return carry_out(r, p, nullptr); }

Status execute_timed(const Request& r, const Plan& p, std::vector<Task>& tasks) {
  if (p.path != Path::Scale) return carry_out(r, p, &tasks);
  tasks.push_back(core::whole(r, p));
  return carry_out(r, p, nullptr);
}

}  // namespace trigon::opencl
