# Writes OUTPUT, a C file whose FUNCTION, declared in HEADER, returns FILES (separated by |) as an
# array of struct builtin_file (builtin.h). Bytes, not string literals: C promises only 4,095
# characters of those. See ddbsim_embed in the top CMakeLists.txt.
string(REPLACE "|" ";" files "${FILES}")
set(arrays "")
set(rows "")
set(number 0)
foreach(file IN LISTS files)
  get_filename_component(name "${file}" NAME)
  file(READ "${file}" bytes HEX)
  string(LENGTH "${bytes}" digits)
  math(EXPR size "${digits} / 2")
  string(REGEX REPLACE "(..)" "0x\\1," bytes "${bytes}")
  string(REGEX REPLACE "((0x..,){16})" "\\1\n" bytes "${bytes}")
  string(APPEND arrays "static const unsigned char file_${number}[] = {\n${bytes}0x00};\n")
  string(APPEND rows "    {\"${name}\", file_${number}, ${size}},\n")
  math(EXPR number "${number} + 1")
endforeach()
file(WRITE "${OUTPUT}.new"
"/* Made by embed.cmake. */
#include \"${HEADER}\"

${arrays}
static const struct builtin_file files[] = {
${rows}};

const struct builtin_file *${FUNCTION}(size_t *count) {
    *count = sizeof files / sizeof *files;
    return files;
}
")
file(RENAME "${OUTPUT}.new" "${OUTPUT}")
