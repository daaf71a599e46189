// What the snippets need of DirectML.h, declared in its order, and a device that prints
// what it is asked to create as one line of JSON.
#pragma once

#include <cstdint>
#include <cstdio>
#include <cstring>

typedef uint32_t UINT;
typedef uint64_t UINT64;
typedef int32_t INT;
typedef float FLOAT;
typedef int32_t HRESULT;

enum DML_TENSOR_DATA_TYPE {
    DML_TENSOR_DATA_TYPE_UNKNOWN,
    DML_TENSOR_DATA_TYPE_FLOAT32,
    DML_TENSOR_DATA_TYPE_FLOAT16,
    DML_TENSOR_DATA_TYPE_UINT32,
    DML_TENSOR_DATA_TYPE_UINT16,
    DML_TENSOR_DATA_TYPE_UINT8,
    DML_TENSOR_DATA_TYPE_INT32,
    DML_TENSOR_DATA_TYPE_INT16,
    DML_TENSOR_DATA_TYPE_INT8,
    DML_TENSOR_DATA_TYPE_FLOAT64,
    DML_TENSOR_DATA_TYPE_UINT64,
    DML_TENSOR_DATA_TYPE_INT64,
};
enum DML_TENSOR_TYPE { DML_TENSOR_TYPE_INVALID, DML_TENSOR_TYPE_BUFFER };
enum DML_TENSOR_FLAGS { DML_TENSOR_FLAG_NONE, DML_TENSOR_FLAG_OWNED_BY_DML };
struct DML_BUFFER_TENSOR_DESC {
    DML_TENSOR_DATA_TYPE DataType;
    DML_TENSOR_FLAGS Flags;
    UINT DimensionCount;
    const UINT* Sizes;
    const UINT* Strides;
    UINT64 TotalTensorSizeInBytes;
    UINT GuaranteedBaseOffsetAlignment;
};
struct DML_TENSOR_DESC {
    DML_TENSOR_TYPE Type;
    const void* Desc;
};

union DML_SCALAR_UNION {
    uint8_t Bytes[8];
    int8_t Int8;
    uint8_t UInt8;
    int16_t Int16;
    uint16_t UInt16;
    int32_t Int32;
    uint32_t UInt32;
    int64_t Int64;
    uint64_t UInt64;
    float Float32;
    double Float64;
};

struct DML_SCALE_BIAS {
    FLOAT Scale;
    FLOAT Bias;
};

enum DML_OPERATOR_TYPE {
    DML_OPERATOR_PADDING,
    DML_OPERATOR_TILE,
    DML_OPERATOR_DEPTH_TO_SPACE1,
    DML_OPERATOR_SPACE_TO_DEPTH1,
    // further operators
};
struct DML_OPERATOR_DESC {
    DML_OPERATOR_TYPE Type;
    const void* Desc;
};

enum DML_PADDING_MODE {
    DML_PADDING_MODE_CONSTANT,
    DML_PADDING_MODE_EDGE,
    DML_PADDING_MODE_REFLECTION,
    DML_PADDING_MODE_SYMMETRIC,
    DML_PADDING_MODE_WRAP,
};
enum DML_DEPTH_SPACE_ORDER {
    DML_DEPTH_SPACE_ORDER_DEPTH_COLUMN_ROW,
    DML_DEPTH_SPACE_ORDER_COLUMN_ROW_DEPTH,
};
enum DML_AXIS_DIRECTION {
    DML_AXIS_DIRECTION_INCREASING,
    DML_AXIS_DIRECTION_DECREASING,
};
struct DML_PADDING_OPERATOR_DESC {
    const DML_TENSOR_DESC* InputTensor;
    const DML_TENSOR_DESC* OutputTensor;
    DML_PADDING_MODE PaddingMode;
    FLOAT PaddingValue;
    UINT DimensionCount;
    const UINT* StartPadding;
    const UINT* EndPadding;
};
struct DML_TILE_OPERATOR_DESC {
    const DML_TENSOR_DESC* InputTensor;
    const DML_TENSOR_DESC* OutputTensor;
    UINT RepeatsCount;
    const UINT* Repeats;
};
struct DML_DEPTH_TO_SPACE1_OPERATOR_DESC {
    const DML_TENSOR_DESC* InputTensor;
    const DML_TENSOR_DESC* OutputTensor;
    UINT BlockSize;
    DML_DEPTH_SPACE_ORDER Order;
};
struct DML_SPACE_TO_DEPTH1_OPERATOR_DESC {
    const DML_TENSOR_DESC* InputTensor;
    const DML_TENSOR_DESC* OutputTensor;
    UINT BlockSize;
    DML_DEPTH_SPACE_ORDER Order;
};

struct IDMLOperator {};
#define IID_PPV_ARGS(pointer) 0, reinterpret_cast<void**>(pointer)

inline void print(const char* name, const UINT* numbers, UINT count)
{
    std::printf(", \"%s\": [", name);
    for (UINT i = 0; i < count; ++i) std::printf(i ? ", %u" : "%u", numbers[i]);
    std::printf("]");
}

inline void print(const char* name, const INT* numbers, UINT count)
{
    std::printf(", \"%s\": [", name);
    for (UINT i = 0; i < count; ++i) std::printf(i ? ", %d" : "%d", numbers[i]);
    std::printf("]");
}

inline void print(const char* name, const FLOAT* numbers, UINT count)
{
    std::printf(", \"%s\": [", name);
    for (UINT i = 0; i < count; ++i) std::printf(i ? ", %.9g" : "%.9g", static_cast<double>(numbers[i]));
    std::printf("]");
}

inline void print_tensor(const DML_TENSOR_DESC* tensor)
{
    const auto* buffer = static_cast<const DML_BUFFER_TENSOR_DESC*>(tensor->Desc);
    std::printf("{\"Type\": %d, \"DataType\": %d, \"Flags\": %d", tensor->Type, buffer->DataType,
                buffer->Flags);
    if (buffer->Strides) {
        print("Strides", buffer->Strides, buffer->DimensionCount);
    } else {
        std::printf(", \"Strides\": null");
    }
    std::printf(", \"Bytes\": %llu, \"Alignment\": %u",
                static_cast<unsigned long long>(buffer->TotalTensorSizeInBytes),
                buffer->GuaranteedBaseOffsetAlignment);
    print("Sizes", buffer->Sizes, buffer->DimensionCount);
    std::printf("}");
}

inline void print(const char* name, const DML_TENSOR_DESC* tensor)
{
    std::printf(", \"%s\": ", name);
    print_tensor(tensor);
}

inline void print(const char* name, const DML_TENSOR_DESC* tensors, UINT count)
{
    for (UINT i = 0; i < count; ++i) {
        std::printf(", \"%s[%u]\": ", name, i);
        print_tensor(&tensors[i]);
    }
}

// further structures
struct IDMLDevice {
    HRESULT CreateOperator(const DML_OPERATOR_DESC* desc, int, void**)
    {
        std::printf("{\"Type\": %d", desc->Type);
        switch (desc->Type) {
        case DML_OPERATOR_PADDING: {
            const auto* d = static_cast<const DML_PADDING_OPERATOR_DESC*>(desc->Desc);
            print("InputTensor", d->InputTensor);
            print("OutputTensor", d->OutputTensor);
            UINT value;
            std::memcpy(&value, &d->PaddingValue, sizeof value);
            std::printf(", \"PaddingMode\": %d, \"PaddingValueBits\": %u", d->PaddingMode, value);
            print("StartPadding", d->StartPadding, d->DimensionCount);
            print("EndPadding", d->EndPadding, d->DimensionCount);
            break;
        }
        case DML_OPERATOR_TILE: {
            const auto* d = static_cast<const DML_TILE_OPERATOR_DESC*>(desc->Desc);
            print("InputTensor", d->InputTensor);
            print("OutputTensor", d->OutputTensor);
            print("Repeats", d->Repeats, d->RepeatsCount);
            break;
        }
        case DML_OPERATOR_DEPTH_TO_SPACE1:
        case DML_OPERATOR_SPACE_TO_DEPTH1: {
            // the two structures have the same members
            const auto* d = static_cast<const DML_DEPTH_TO_SPACE1_OPERATOR_DESC*>(desc->Desc);
            print("InputTensor", d->InputTensor);
            print("OutputTensor", d->OutputTensor);
            std::printf(", \"BlockSize\": %u, \"Order\": %d", d->BlockSize, d->Order);
            break;
        }
        // further cases
        }
        std::printf("}\n");
        return 0;
    }
};
