#!/usr/bin/env node
'use strict';
require('./start.cjs')('ahc-agent', 'ahc-agent.js');
