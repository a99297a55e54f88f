# cmake -DFILES=a.gp;b.gp -DOUTPUT=x.c -P embed.cmake - files as the table of cli/plot_script.h.
# Bytes, not string literals: C promises only 4095 characters of those.
set(arrays "")
set(rows "")
foreach(file IN LISTS FILES)
  get_filename_component(name ${file} NAME_WE)
  file(READ ${file} hex HEX)
  string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${hex}")
  string(APPEND arrays "static const unsigned char ${name}_text[] = {${bytes}};\n")
  string(APPEND rows "    {\"${name}\", ${name}_text, sizeof ${name}_text},\n")
endforeach()
file(WRITE ${OUTPUT} "#include \"cli/plot_script.h\"\n\n${arrays}
const struct plot_script plot_scripts[] = {
${rows}    {NULL, NULL, 0},
};
")
