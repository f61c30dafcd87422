/** Copies a text that a field shows. Without https there is no clipboard, but browsers still copy what is selected. */
export async function copyText(text: string, field: HTMLInputElement | undefined): Promise<void> {
  // It is missing over plain http, whatever its type says.
  if (typeof (navigator as Partial<Navigator>).clipboard !== "undefined") return navigator.clipboard.writeText(text);
  field?.select();
  if (!document.execCommand("copy")) throw new Error("nothing was copied");
}
