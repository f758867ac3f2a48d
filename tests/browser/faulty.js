console.warn("a warning of the faulty page");
setTimeout(() => { throw new Error("an exception of the faulty page"); });
