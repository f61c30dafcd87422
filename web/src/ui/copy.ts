/** Copies a text. Without https there is no clipboard, but browsers still copy what is selected in a field. */
export async function copyText(text: string, field: HTMLInputElement | undefined = undefined): Promise<void> {
  // It is missing over plain http, whatever its type says.
  if (typeof (navigator as Partial<Navigator>).clipboard !== "undefined") return navigator.clipboard.writeText(text);
  if (!(field ? copySelected(field) : copyByOwnField(text))) throw new Error("nothing was copied");
}

function copySelected(field: HTMLInputElement | HTMLTextAreaElement): boolean {
  field.select();
  return document.execCommand("copy");
}

/** Where no field shows the text: by one that is there for this moment. The focus stays where it was. */
function copyByOwnField(text: string): boolean {
  const before = document.activeElement;
  const field = document.createElement("textarea");
  field.value = text;
  field.style.position = "fixed";
  field.style.opacity = "0";
  document.body.append(field);
  try {
    return copySelected(field);
  } finally {
    field.remove();
    if (before instanceof HTMLElement) before.focus({ preventScroll: true });
  }
}
