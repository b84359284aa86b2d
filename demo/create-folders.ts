import type { Api, Json } from './api.ts';
import type { Print } from './steps.ts';

export type Folders = {
  /** The folder of this run. */
  root: Json;
  /** Returns the id of a folder in it, and creates it at first. */
  idOf(name: string): Promise<string>;
};

const NAME = 'Demo';

/** Creates the folder of this run: "Demo", or "Demo 2" and so on beside those of earlier runs, which stay as they are. */
export async function createFolders(api: Api, print: Print): Promise<Folders> {
  const { items } = await api.get('/folders');
  const topLevel: Json[] = items.filter(({ parentId }: Json) => parentId === null);
  const taken = new Set(topLevel.map(({ name }) => name));
  let name = NAME;
  for (let n = 2; taken.has(name); n++) name = `${NAME} ${n}`;
  if (name !== NAME)
    print(`Earlier runs created ${[...taken].filter(isDemo).map(quote).join(', ')}; this run creates "${name}".`);
  const root = await api.post('/folders', { name });
  print(`Folder "${root.name}"  ${api.address}/folders/${root.id}`);
  const ids = new Map<string, Promise<string>>();
  const create = async (folder: string): Promise<string> =>
    (await api.post('/folders', { name: folder, parentId: root.id })).id;
  return {
    root,
    idOf(folder) {
      const id = ids.get(folder) ?? create(folder);
      ids.set(folder, id);
      return id;
    },
  };
}

const isDemo = (name: string): boolean => /^Demo( \d+)?$/.test(name);
const quote = (name: string): string => `"${name}"`;
