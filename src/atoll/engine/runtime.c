/* What Numba's code asks of a runtime, for modules: memory for arrays that functions make for themselves.

   Blocks lie one above the other. A block that nothing refers to any more is given back as soon as all above it are. */

typedef struct Block {
    struct Block *below;
    long long is_free;
} Block;

typedef struct {
    long long references;
    long long size;
} MemInfo;

enum { ALIGNED = 16 };

static _Alignas(ALIGNED) char memory[MADE];
static char *free_from = memory;
static Block bottom = {&bottom, 0};
static Block *top = &bottom; /* not null: what begins as zeros is not among the constants */

MemInfo *NRT_MemInfo_alloc_aligned(long long size, int alignment)
{
    long long whole = (long long)sizeof(Block) + (long long)sizeof(MemInfo) + size;
    whole = (whole + ALIGNED - 1) / ALIGNED * ALIGNED;
    if (size < 0 || whole > memory + MADE - free_from)
        __builtin_trap();
    Block *block = (Block *)free_from;
    free_from += whole;
    block->below = top;
    block->is_free = 0;
    top = block;
    MemInfo *info = (MemInfo *)(block + 1);
    info->references = 1;
    info->size = size;
    return info;
}

void *NRT_MemInfo_data_fast(MemInfo *info)
{
    return info + 1;
}

void NRT_incref(MemInfo *info)
{
    if (info)
        info->references++;
}

void NRT_decref(MemInfo *info)
{
    if (!info || --info->references)
        return;
    ((Block *)info - 1)->is_free = 1;
    while (top->is_free) {
        free_from = (char *)top;
        top = top->below;
    }
}
