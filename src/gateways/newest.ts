/** Sets an entry as the newest of `most`; beyond that the oldest goes. */
export function setNewest<K, V>(entries: Map<K, V>, key: K, value: V, most: number) {
  entries.delete(key);
  entries.set(key, value);
  const [oldest] = entries.keys();
  if (entries.size > most && oldest !== undefined) entries.delete(oldest);
}
