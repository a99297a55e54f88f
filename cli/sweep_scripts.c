#include "cli/sweep_scripts.h"

#include "analysis/metric.h"
#include "cli/shell_text.h"

#include <inttypes.h>
#include <string.h>

static const struct {
    const char *name;
    bool local, slurm, parallel;
} rows[SWEEP_SCRIPT_COUNT] = {
    [SWEEP_SCRIPT_TASK] = {"task.sh", false, true, true},
    [SWEEP_SCRIPT_MERGE] = {"merge.sh", false, true, true},
    [SWEEP_SCRIPT_ARRAY] = {"array.sbatch", false, true, false},
    [SWEEP_SCRIPT_MERGE_JOB] = {"merge.sbatch", false, true, false},
    [SWEEP_SCRIPT_PARALLEL] = {"parallel.sh", false, false, true},
};

const char *sweep_script_name(enum sweep_script script) {
    return rows[script].name;
}

bool sweep_script_is_of(enum sweep_script script, enum sweep_engine engine) {
    switch (engine) {
    case SWEEP_ENGINE_SLURM: return rows[script].slurm;
    case SWEEP_ENGINE_PARALLEL: return rows[script].parallel;
    case SWEEP_ENGINE_LOCAL: break;
    }
    return rows[script].local;
}

static void word(FILE *out, const char *before, const char *text) {
    fputs(before, out);
    shell_text_word(out, text);
}

static void go_to_folder(const struct sweep_scripts *scripts, FILE *out) {
    word(out, "cd ", scripts->working);
    word(out, " || exit 3\nfolder=", scripts->folder);
    fputc('\n', out);
}

/* The sweep as it was asked for, but for what each task has of its own. */
static void sweep_command(const struct sweep_scripts *scripts, FILE *out) {
    const struct sweep_options *options = scripts->options;
    shell_text_word(out, scripts->program);
    fputs(" sweep --quiet", out);
    for (uint32_t i = 0; i < options->vary_count; i++) {
        word(out, " \\\n    --vary ", options->varies[i].text);
    }
    for (size_t i = 0; i < options->sets.count; i++) {
        const struct scenario_override *set = &options->sets.overrides[i];
        word(out, " \\\n    --set ", set->path);
        word(out, "=", set->value);
    }
    if (options->has_seed) {
        fprintf(out, " \\\n    --seed %" PRIu64, options->seed);
    }
    if (options->sobol_count > 0) {
        fprintf(out, " \\\n    --design sobol:%" PRIu64, options->sobol_count);
    }
    if (options->precision > 0) {
        fprintf(out, " \\\n    --metric %s --precision %.17g",
                metric_rows()[options->metrics[0]].name, options->precision);
    }
    const bool is_slurm = options->engine == SWEEP_ENGINE_SLURM && options->has_jobs;
    fprintf(out, " \\\n    --replications %" PRIu64 " --jobs %" PRIu64, options->replications,
            is_slurm ? options->jobs : UINT64_C(1));
    fprintf(out, " \\\n    --part \"$1/%" PRIu64 "\" --output \"$try\"", scripts->tasks);
    word(out, " -- ", options->scenarios[0]);
    fputc('\n', out);
}

static void print_task(const struct sweep_scripts *scripts, FILE *out) {
    fprintf(out,
            "#!/bin/sh\n"
            "# task.sh I - makes part I of %" PRIu64 ": part-I.db, complete or absent.\n"
            "# Run again, or twice at a time, it does no harm.\n"
            "set -u\n",
            scripts->tasks);
    go_to_folder(scripts, out);
    fputs("made=$folder/part-$1.db\n"
          "[ -e \"$made\" ] && exit 0\n"
          "try=$folder/part-$1.try-$(uname -n)-$$\n"
          "trap 'rm -f \"$try\" \"$try\".*' EXIT\n",
          out);
    sweep_command(scripts, out);
    fputs("status=$?\n"
          "# 1: some runs could not be made; that is recorded, and the merge tells it\n"
          "[ \"$status\" -le 1 ] || exit \"$status\"\n"
          "mv -f \"$try\" \"$made\"\n",
          out);
}

static void print_merge(const struct sweep_scripts *scripts, FILE *out) {
    fprintf(out,
            "#!/bin/sh\n"
            "# merge.sh - joins the %" PRIu64 " parts to the database; does nothing when that is "
            "done.\n"
            "set -u\n",
            scripts->tasks);
    go_to_folder(scripts, out);
    fputs("[ -e \"$folder/merged\" ] && exit 0\n", out);
    shell_text_word(out, scripts->program);
    /* begun again by Slurm: what there is may be this job's own */
    fprintf(out, " merge --quiet%s \\\n    --output ",
            scripts->options->force ? " --force" : " ${SLURM_RESTART_COUNT:+--force}");
    shell_text_word(out, scripts->options->output);
    fputs(" -- \"$folder\"/part-*.db\n"
          "status=$?\n"
          "# 1: it is made, and some runs had failed\n"
          "[ \"$status\" -le 1 ] || exit \"$status\"\n"
          ": >\"$folder/merged\"\n"
          "rm -f \"$folder\"/part-*\n"
          "exit \"$status\"\n",
          out);
}

/* Of a file name in an #SBATCH line: Slurm takes double quotes off and % for a mark. */
static void sbatch_path(const char *path, FILE *out) {
    fputc('"', out);
    for (; *path != '\0'; path++) {
        fputs(*path == '%' ? "%" : "", out);
        fputc(*path, out);
    }
}

static void sbatch_lines(const struct sweep_scripts *scripts, const char *log, FILE *out) {
    const struct sweep_options *options = scripts->options;
    fputs("#SBATCH --output=", out);
    sbatch_path(scripts->folder, out);
    fprintf(out, "/%s\"\n#SBATCH --open-mode=append\n#SBATCH --requeue\n", log);
    if (options->partition != NULL) {
        fprintf(out, "#SBATCH --partition=%s\n", options->partition);
    }
    if (options->time_limit != NULL) {
        fprintf(out, "#SBATCH --time=%s\n", options->time_limit);
    }
    for (uint32_t i = 0; i < options->engine_option_count; i++) {
        fprintf(out, "#SBATCH %s\n", options->engine_options[i]);
    }
}

/* 1-4,7 */
static void print_ranges(const struct sweep_scripts *scripts, FILE *out) {
    for (uint64_t i = 0; i < scripts->missing_count;) {
        uint64_t last = i;
        while (last + 1 < scripts->missing_count &&
               scripts->missing[last + 1] == scripts->missing[last] + 1) {
            last++;
        }
        fprintf(out, "%s%" PRIu32, i == 0 ? "" : ",", scripts->missing[i]);
        if (last > i) {
            fprintf(out, "-%" PRIu32, scripts->missing[last]);
        }
        i = last + 1;
    }
}

static void print_array(const struct sweep_scripts *scripts, FILE *out) {
    const struct sweep_options *options = scripts->options;
    fputs("#!/bin/sh\n#SBATCH --job-name=ddbsim-sweep\n#SBATCH --array=", out);
    print_ranges(scripts, out);
    fprintf(out, "\n#SBATCH --cpus-per-task=%" PRIu64 "\n",
            options->has_jobs ? options->jobs : UINT64_C(1));
    sbatch_lines(scripts, "task-%a.log", out);
    word(out, "exec sh ", scripts->folder);
    fputs("/task.sh \"$SLURM_ARRAY_TASK_ID\"\n", out);
}

static void print_merge_job(const struct sweep_scripts *scripts, FILE *out) {
    fputs("#!/bin/sh\n#SBATCH --job-name=ddbsim-merge\n", out);
    sbatch_lines(scripts, "merge.log", out);
    word(out, "exec sh ", scripts->folder);
    fputs("/merge.sh\n", out);
}

/* GNU parallel joins its words and gives them to a shell: what is a word there is quoted twice. */
static void parallel_command(const struct sweep_scripts *scripts, FILE *out) {
    fputs(" \\\n    'sh ", out);
    shell_text_nested(out, scripts->folder);
    fputs("/task.sh {}'", out);
}

static void print_parallel(const struct sweep_scripts *scripts, FILE *out) {
    const struct sweep_options *options = scripts->options;
    fputs("#!/bin/sh\n"
          "# parallel.sh - makes the parts that are missing by GNU parallel; then: merge.sh.\n"
          "set -u\n",
          out);
    go_to_folder(scripts, out);
    fputs("exec parallel --will-cite --retries 3 --joblog \"$folder/joblog\"", out);
    if (options->has_jobs) {
        fprintf(out, " --jobs %" PRIu64, options->jobs);
    }
    for (uint32_t i = 0; i < options->host_count; i++) {
        word(out, " \\\n    --sshlogin ", options->hosts[i]);
    }
    for (uint32_t i = 0; i < options->engine_option_count; i++) {
        word(out, " \\\n    ", options->engine_options[i]);
    }
    parallel_command(scripts, out);
    fputs(" :::", out);
    for (uint64_t i = 0; i < scripts->missing_count; i++) {
        fprintf(out, " %" PRIu32, scripts->missing[i]);
    }
    fputc('\n', out);
}

void sweep_script_print(const struct sweep_scripts *scripts, enum sweep_script script, FILE *out) {
    switch (script) {
    case SWEEP_SCRIPT_TASK: print_task(scripts, out); break;
    case SWEEP_SCRIPT_MERGE: print_merge(scripts, out); break;
    case SWEEP_SCRIPT_ARRAY: print_array(scripts, out); break;
    case SWEEP_SCRIPT_MERGE_JOB: print_merge_job(scripts, out); break;
    case SWEEP_SCRIPT_PARALLEL: print_parallel(scripts, out); break;
    case SWEEP_SCRIPT_COUNT: break;
    }
}
