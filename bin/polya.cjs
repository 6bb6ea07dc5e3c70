#!/usr/bin/env node
'use strict';
require('./start.cjs')('polya', 'main.js');
