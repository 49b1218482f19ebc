# Read by the launcher of an Electron under test where that is a bash script (BASH_ENV), because Playwright takes
# NODE_OPTIONS out of the environment of what it starts. Puts it back for Electron alone.
unset BASH_ENV
export NODE_OPTIONS="$HOLDFAST_TEST_NODE_OPTIONS"
unset HOLDFAST_TEST_NODE_OPTIONS
