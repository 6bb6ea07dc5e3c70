/** The one list of secrets: what it names, and what it leaves to others. */
import { expect, test } from 'vitest';
import { providers } from '../models/providers/index.ts';
import { findSecrets, isSecretName, siteSessions } from './secrets.ts';

test('keys to all models, cookies of all sites, and whatever else is called a secret are on it', () => {
  const siblings = ['MISTRAL_API_KEY', 'REVEL_SESSION', 'GITHUB_TOKEN', 'HF_TOKEN', 'AWS_SECRET_ACCESS_KEY'];
  const more = ['PGPASSWORD', 'DB_PASSWD', 'MYSQL_PWD', 'SMTP_PASS', 'GH_PAT', 'my_secret', 'Site_Cookie'];
  const names = [...providers.flatMap(({ keys }) => keys), ...siteSessions, ...siblings, ...more];
  expect(names.filter((name) => !isSecretName(name))).toEqual([]);
});

test('what a desktop needs is none', () => {
  const names = ['DBUS_SESSION_BUS_ADDRESS', 'XDG_SESSION_ID', 'DESKTOP_SESSION', 'SESSION_MANAGER'];
  const more = ['DISPLAY', 'XAUTHORITY', 'SSH_AUTH_SOCK', 'PWD', 'OLDPWD', 'PATH', 'XKB_KEYMAP', 'HOME'];
  expect([...names, ...more].filter(isSecretName)).toEqual([]);
});

test('a short word is none', () => {
  expect(
    findSecrets({ A_KEY: 'none', B_KEY: ' long-enough ', C: 'not-a-secret', D_TOKEN: undefined }),
  ).toEqual(['long-enough']);
});

test('a path is no secret, whatever its variable is called', () => {
  const env = {
    A_SESSION: '/home/me/contests/ahc001',
    B_KEYS: '~/keys/mine',
    C_KEY: '/Kx9+aa/bb0=',
    D_KEY: 'sk-proj-1',
  };
  expect(findSecrets(env)).toEqual(['/Kx9+aa/bb0=', 'sk-proj-1']);
});
