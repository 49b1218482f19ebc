/** Whether a POSIX shell takes `name` as an environment variable (IEEE Std 1003.1, 3.216 "Name"). */
export const isShellName = (name: string): boolean => /^[A-Za-z_][A-Za-z0-9_]*$/.test(name)

/** Returns why a POSIX shell can't read a variable of this name from a file that it sources; null if it can. */
export function shellNameProblem(name: string): string | null {
  if (!isShellName(name)) return 'Shell names contain the letters A to Z, digits and underscores, and don’t begin with a digit.'
  return ownNames.has(name) ? 'Shells reserve this name and don’t let it be set.' : null
}

/**
 * Names that bash, zsh, mksh or ksh keep for themselves. Setting one is refused, which ends the script, or changes something else. Names
 * that hold numbers evaluate any text as arithmetic, even in quotes, and run the commands in it: `RANDOM='a[$(id)]'`.
 */
const ownNames = new Set(
  [
    'BASHOPTS BASHPID BASH_ALIASES BASH_ARGC BASH_ARGV BASH_ARGV0 BASH_CMDS BASH_COMMAND BASH_LINENO BASH_SOURCE BASH_SUBSHELL BASH_VERSINFO',
    'ARGC COLUMNS DIRSTACK EGID EPOCHREALTIME EPOCHSECONDS ERRNO EUID FUNCNAME FUNCNEST GID GROUPS HISTCMD HISTSIZE JOBMAX KEYTIMEOUT',
    'KSHEGID KSHGID KSHUID KSH_VERSION LINENO LINES LISTMAX MAILCHECK OPTIND PGRP PIPESTATUS PPID RANDOM SAVEHIST SECONDS SHELLOPTS SHLVL',
    'SRANDOM TMOUT TRY_BLOCK_ERROR TRY_BLOCK_INTERRUPT TTYIDLE UID USERNAME USER_ID ZSH_EVAL_CONTEXT ZSH_SUBSHELL _',
    'HISTCHARS KEYBOARD_HACK WATCH ZLE_RPROMPT_INDENT histchars watch',
    'argv cdpath fignore fpath mailpath manpath module_path path pipestatus psvar signals status zsh_eval_context',
    'aliases builtins commands dirstack funcfiletrace funcsourcetrace funcstack functions functions_source functrace galiases history',
    'historywords jobdirs jobstates jobtexts keymaps modules nameddirs options parameters patchars reswords saliases termcap terminfo userdirs',
    'usergroups widgets zsh_scheduled_events',
    'dis_aliases dis_builtins dis_functions dis_functions_source dis_galiases dis_patchars dis_reswords dis_saliases',
  ].flatMap((line) => line.split(' ')),
)
