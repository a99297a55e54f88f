# Writes OUTPUT, a C file with the bytes of FILES (separated by |) as the table of builtin.h.
# cmake -DOUTPUT=builtin_files.c "-DFILES=a.yaml|b.csv" -P embed.cmake
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
#include \"cli/builtin.h\"

${arrays}
static const struct builtin_file files[] = {
${rows}};

const struct builtin_file *builtin_files(size_t *count) {
    *count = sizeof files / sizeof *files;
    return files;
}
")
file(RENAME "${OUTPUT}.new" "${OUTPUT}")
