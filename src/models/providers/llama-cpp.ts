/** llama.cpp's server. */
import { localProvider } from '../local.ts';

export const llamaCpp = localProvider({
  name: 'llama.cpp',
  aliases: ['llama-cpp', 'llamacpp', 'llama_cpp'],
  title: 'llama.cpp',
  keys: ['LLAMA_API_KEY'],
  baseUrlVariable: 'LLAMA_CPP_BASE_URL',
  local: { port: 8080, route: '/props', sign: 'model_path' },
});
