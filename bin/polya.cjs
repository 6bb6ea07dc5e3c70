#!/bin/sh
':' //; # A shell reads these lines and Node the others: the Node that was installed beside Polya, else that of the PATH.
':' //; self=$0; case $self in */*) ;; *) self=./$self ;; esac
':' //; while [ -L "$self" ]; do to=$(command -p readlink "$self"); case $to in /*) self=$to ;; *) self=${self%/*}/$to ;; esac; done
':' //; node=${self%/*}/../../node/bin/node; [ -x "$node" ] || node=$(command -v node) || { echo "polya: There is no Node here. Install Node 26 from https://nodejs.org." >&2; exit 3; }
':' //; exec "$node" "$0" "$@"
'use strict';
require('./start.cjs')('polya', 'main.js');
